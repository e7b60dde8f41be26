import { EpochMillis } from "#domain/Time.ts"
import { type Html } from "./jsx-runtime.ts"
import { compact, exactTime, grouped } from "./values.tsx"
import { type Column, folded, known, table, type Tone } from "./parts.tsx"

/** A bar: its name, the size of each of its parts, and of the whole in the period before. None is below zero. */
export interface Bar {
  readonly label: string
  readonly parts: ReadonlyArray<number>
  readonly before?: number
  /** Whether its time is not over. */
  readonly isPartial?: boolean
}

/** A series of a chart: its name, and the meaning of its colour. */
export interface Series {
  readonly name: string
  readonly tone: Tone
}

/** A chart of bars: what it shows, its series, how a value is written in the table and where room is little. */
interface Chart {
  /** What the chart shows, also for who cannot see it. */
  readonly caption: string
  /** A heading of its own, with the sum at its right. Without one a section's heading says what it is. */
  readonly title?: string
  readonly said?: Html | string
  readonly series: ReadonlyArray<Series>
  readonly bars: ReadonlyArray<Bar>
  /** The words for the dash of the period before, and for a bar whose time is not over. */
  readonly before?: string
  readonly partial?: string
  readonly written?: (value: number) => string
  readonly short?: (value: number) => string
}

const colourOfTone: Readonly<Record<Tone, string>> = {
  info: "f1",
  warn: "f2",
  bad: "f3",
  good: "f4",
  plain: "f5",
}
const colourOf = ({ tone }: Series): string => colourOfTone[tone]

const mostSteps = 4

/** Where nothing is larger than this the axis is that of a chart of zeros. */
const leastShown = 1e-6

/** The steps of an axis up to a value: round ones (1, 2, 2.5 or 5 × 10ⁿ), and whole ones where all values are. */
export const axisSteps = (most: number, isWhole: boolean): ReadonlyArray<number> => {
  const reached = most >= leastShown ? most : 1
  const magnitude = 10 ** Math.floor(Math.log10(reached / mostSteps))
  const countOf = (step: number) => Math.max(1, Math.ceil(reached / step - 1e-9))
  const fits = (step: number) => countOf(step) <= mostSteps && (!isWhole || Number.isInteger(step))
  const step = [1, 2, 2.5, 5, 10].map((round) => Number((round * magnitude).toPrecision(2))).find(fits) ??
    reached
  return Array.from({ length: countOf(step) + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

/** The pixels above the bars, and of the bars. */
const above = 16
const height = 150
/** Bars and lines are drawn this wide and fill their place; what is text is never scaled. */
const wide = 600

const rounded = (value: number): number => Math.round(value * 100) / 100
const across = (part: number): string => `${rounded(part * 100)}%`

/** The most labels for which there is room on a narrow screen: of hours, and of longer ones. */
const mostLabels = 8
const mostLong = 7
/** The most bars over which a value has room there. */
const mostValues = 10

/** What the table behind a chart shows at one time, of each of its names. */
type Moment = readonly [label: string, values: ReadonlyArray<number | undefined>]

const sum = (parts: ReadonlyArray<number>): number => parts.reduce((total, part) => total + part, 0)

/** A path of a class; nothing where it draws nothing. One for all bars of a series keeps the page small. */
const shape = (name: string, pieces: ReadonlyArray<string>): Html =>
  <>{pieces.length > 0 && <path class={name} d={pieces.join("")} />}</>

/** The bars, and the dashes of the period before: they are scaled, and texts are not. */
const drawn = ({ bars, series }: Chart, top: number): ReadonlyArray<Html> => {
  const step = wide / Math.max(1, bars.length)
  const size = (value: number) => value / top * height
  const piecesOf = (number: number, isPartial: boolean) =>
    bars.flatMap(({ isPartial: isOpen = false, parts }, index) => {
      const own = size(parts[number] ?? 0)
      if (own <= 0 || isOpen !== isPartial) return []
      const from = rounded(height - size(sum(parts.slice(0, number + 1))))
      const width = rounded(step * 0.64)
      return [`M${rounded(index * step + step * 0.18)} ${from}h${width}v${rounded(own)}h-${width}z`]
    })
  const dashes = bars.flatMap(({ before }, index) =>
    before === undefined ? [] : [
      `M${rounded(index * step + step * 0.13)} ${rounded(height - size(before))}h${rounded(step * 0.74)}`,
    ]
  )
  return [
    ...series.flatMap((one, number) => {
      const colour = colourOf(one)
      return [shape(colour, piecesOf(number, false)), shape(`${colour} part`, piecesOf(number, true))]
    }),
    shape("prev", dashes),
  ]
}

/** A colour of a chart, and what it stands for. */
export const keyPart = (look: string, name: string): Html => (
  <span>
    <i class={look}></i>
    {name}
  </span>
)

/**
 * Bars of one or several parts, one on the other, with an axis and the value on each bar while there is room; with a key,
 * and the figures behind it for who wants or needs them.
 */
export const bars = (chart: Chart): Html => {
  const { bars, before, caption, partial, said, series, title } = chart
  const { short = compact, written = (value: number) => grouped(`${value}`) } = chart
  const rows = bars.map(({ before: earlier, label, parts }): Moment => [
    label,
    before === undefined ? parts : [...parts, earlier],
  ])
  const names = [...series.map(({ name }) => name), ...(before === undefined ? [] : [before])]
  const isWhole = rows.every(([, values]) =>
    values.every((value) => value === undefined || Number.isInteger(value))
  )
  const most = Math.max(...bars.map(({ before = 0, parts }) => Math.max(sum(parts), before)), 0)
  const steps = axisSteps(most, isWhole)
  const top = steps.at(-1) ?? 1
  const y = (value: number) => rounded(above + height - value / top * height)
  const isLong = bars.some(({ label }) => label.length > 5)
  const stride = Math.ceil(bars.length / (isLong ? mostLong : mostLabels))
  const centre = (index: number) => across((index + 0.5) / bars.length)
  const hintOf = (values: Moment[1]) =>
    values.flatMap((value, at) => value === undefined ? [] : [`${names[at]} ${written(value)}`]).join(", ")
  return (
    <figure class="chart">
      {title !== undefined &&
        (
          <figcaption class="h">
            <h2>{title}</h2>
            <span>{said}</span>
          </figcaption>
        )}
      <div class="plot">
        <svg aria-hidden="true">
          {steps.map((step) => <text x="34" y={y(step) + 4}>{short(step)}</text>)}
        </svg>
        <svg role="img" aria-label={`${caption}: a chart. Its figures follow.`}>
          {steps.map((step) => <line class="grid" x1="0" x2="100%" y1={y(step)} y2={y(step)} />)}
          <svg
            y={above}
            width="100%"
            height={height}
            viewBox={`0 0 ${wide} ${height}`}
            preserveAspectRatio="none"
          >
            {drawn(chart, top)}
          </svg>
          {bars.length <= mostValues &&
            bars.map(({ parts }, index) => (
              <text class="v" x={centre(index)} y={Math.max(12, rounded(y(sum(parts)) - 5))}>
                {short(sum(parts))}
              </text>
            ))}
          {bars.map(({ label }, index) =>
            index % stride === 0 && (
              <text
                class={isLong && index % (2 * stride) !== 0 && "alt"}
                x={centre(index)}
                y={above + height + 17}
              >
                {label}
              </text>
            )
          )}
          <svg fill="none" pointer-events="all">
            {rows.map(([label, values], index) => (
              <rect x={across(index / rows.length)} width={across(1 / rows.length)} height="100%">
                <title>{label}: {hintOf(values)}</title>
              </rect>
            ))}
          </svg>
        </svg>
      </div>
      <p class="key">
        {series.map((one) => keyPart(colourOf(one), one.name))}
        {partial !== undefined && keyPart(`${series.map(colourOf)[0] ?? "f1"} part`, partial)}
        {before !== undefined && keyPart("l", before)}
      </p>
      {folded(
        "Show as table",
        table({
          caption,
          columns: [
            ["Time", ([label]) => label],
            ...names.map((name, at): Column<Moment> => [name, ([, values]) => known(values[at], written)]),
          ],
          rows,
          empty: "No figures yet.",
          look: "figures",
        }),
        `figures-${caption.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`,
      )}
    </figure>
  )
}

/** A line of one series beside its figure. A caption says what it shows where nothing beside it does. */
export const sparkline = (values: ReadonlyArray<number>, caption?: string): Html => {
  const most = Math.max(1e-9, ...values)
  const step = values.length < 2 ? 0 : 100 / (values.length - 1)
  const points = values.map((value, index) => `${rounded(index * step)},${rounded(26 - (value / most) * 24)}`)
  return (
    <svg
      class="spark"
      viewBox="0 0 100 28"
      preserveAspectRatio="none"
      {...(caption === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": caption })}
    >
      <polyline points={points.join(" ")} />
    </svg>
  )
}

export const hourMillis = 3_600_000

/** How many hours a chart is of. */
const hours = 24

/** The beginnings of the hours (UTC) that charts are of, the current one last. */
export const lastHours = (now: EpochMillis): ReadonlyArray<EpochMillis> => {
  const current = now - now % hourMillis
  return Array.from(
    { length: hours },
    (_, index) => EpochMillis.make(current - (hours - 1 - index) * hourMillis),
  )
}

/** When these hours begin. */
export const startOfDay = (now: EpochMillis): EpochMillis =>
  EpochMillis.make(now - now % hourMillis - (hours - 1) * hourMillis)

/** An hour as charts name it: `16:00`. */
export const hourLabel = (at: EpochMillis): string => exactTime(at).split(", ")[1]?.slice(0, 5) ?? ""
