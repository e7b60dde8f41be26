import { EpochMillis } from "../domain/Time.ts"
import { type Html, html } from "./html.ts"
import { type Column, exactTime, folded, known, table, type Tone } from "./parts.ts"

/** A place of a chart of bars: its name, and the size of each of its parts. */
export interface Bar {
  readonly label: string
  /** None is below zero. */
  readonly parts: ReadonlyArray<number>
}

/** A place of a chart of lines: its name, and the value of each line, where it has one there. */
export interface Point {
  readonly label: string
  /** None is below zero. */
  readonly values: ReadonlyArray<number | undefined>
}

/** A series of a chart: its name, and its colour where that has a meaning. Others have one each, in order. */
export interface Series {
  readonly name: string
  readonly tone?: Tone
}

/** What every chart has: what it shows, its series, and how a value is written. */
interface ChartWords {
  readonly caption: string
  readonly series: ReadonlyArray<Series>
  readonly written?: (value: number) => string
}

const width = 600
const height = 120

const rounded = (value: number): number => Math.round(value * 100) / 100

const decimal = (value: number): string => `${value}`

const colours = 7

const colourOf = (series: ReadonlyArray<Series>, number: number): string =>
  `series-${series[number]?.tone ?? number % colours + 1}`

/** What a drawing shows at one time. */
type Moment = readonly [label: string, values: ReadonlyArray<number | undefined>]

/** A drawing with its legend and its scale before it, and the figures behind it for who wants or needs them. */
const chart = (
  { caption, series, written = decimal }: ChartWords,
  kind: string,
  most: number,
  rows: ReadonlyArray<Moment>,
  drawn: ReadonlyArray<Html | false>,
): Html =>
  html`<figure class="chart">
<figcaption class="legend">${
    series.map(({ name }, index) => html`<span><i class="${colourOf(series, index)}"></i>${name}</span>`)
  }<span class="scale">up to ${written(most)}</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${caption}: a chart of ${kind}. Its figures follow."><line class="axis" x1="0" x2="${width}" y1="${height}" y2="${height}"/>${drawn}</svg>
<div class="ends" aria-hidden="true"><span>${rows[0]?.[0] ?? ""}</span><span>${
    rows.at(-1)?.[0] ?? ""
  }</span></div>
${
    folded(
      "Figures",
      table({
        caption,
        columns: [
          ["Time", ([label]) => label],
          ...series.map(({ name }, at): Column<Moment> => [
            name,
            ([, values]) => known(values[at], written),
            "number",
          ]),
        ],
        rows,
        empty: "There are no figures yet.",
      }),
      `figures-${caption.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`,
    )
  }
</figure>`

/** Bars of several parts, one on the other, with the figures behind them. */
export const stackedBars = (
  { bars, ...words }: ChartWords & { readonly bars: ReadonlyArray<Bar> },
): Html => {
  const most = Math.max(...bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)), 0)
  const step = width / Math.max(1, bars.length)
  const tall = (parts: ReadonlyArray<number>): number =>
    parts.reduce((sum, part) => sum + part, 0) / Math.max(1, most) * height
  // One path for all bars of a series keeps the page small.
  const drawn = words.series.map((_, number) => {
    const parts = bars.flatMap(({ parts }, index) => {
      const own = tall(parts.slice(number, number + 1))
      const top = height - tall(parts.slice(0, number + 1))
      const across = rounded(step * 0.76)
      return own <= 0
        ? []
        : [`M${rounded(index * step + step * 0.12)} ${rounded(top)}h${across}v${rounded(own)}h-${across}z`]
    })
    return parts.length > 0 && html`
      <path class="${colourOf(words.series, number)}" d="${parts.join("")}" />
    `
  })
  return chart(words, "bars", most, bars.map(({ label, parts }) => [label, parts]), drawn)
}

/** The stretches of a line between the places where it has no value, each as its points. */
const stretches = (
  values: ReadonlyArray<number | undefined>,
  most: number,
): ReadonlyArray<ReadonlyArray<string>> => {
  const step = width / Math.max(1, values.length)
  const found: Array<Array<string>> = [[]]
  for (const [index, value] of values.entries()) {
    if (value === undefined) found.push([])
    else {
      const at = `${rounded((index + 0.5) * step)},${rounded(height - (value / most) * (height - 2))}`
      found.at(-1)?.push(at)
    }
  }
  return found.filter((points) => points.length > 0)
}

/** A line. One that ends where it begins is seen as a dot. */
const line = (colour: string, points: ReadonlyArray<string>): Html =>
  points.length === 1
    ? html`
      <polyline class="${colour} dot" points="${[...points, ...points].join(" ")}" />
    `
    : html`
      <polyline class="${colour}" points="${points.join(" ")}" />
    `

/** Lines, each broken where it has no value, with the figures behind them. */
export const lines = (
  { points, ...words }: ChartWords & { readonly points: ReadonlyArray<Point> },
): Html => {
  const most = Math.max(...points.flatMap(({ values }) => values.map((value) => value ?? 0)), 0)
  const drawn = words.series.flatMap((_, number) =>
    stretches(points.map(({ values }) => values[number]), Math.max(1, most)).map((at) =>
      line(colourOf(words.series, number), at)
    )
  )
  return chart(words, "lines", most, points.map(({ label, values }) => [label, values]), drawn)
}

/** A line of one series, small enough to stand in a row of a table. `caption` says what it shows. */
export const sparkline = (caption: string, values: ReadonlyArray<number>): Html => {
  const most = Math.max(1, ...values)
  const step = values.length < 2 ? 0 : 100 / (values.length - 1)
  const points = values.map((value, index) => `${rounded(index * step)},${rounded(23 - (value / most) * 22)}`)
  return html`
    <svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label="${caption}">
      <polyline points="${points.join(" ")}" />
    </svg>
  `
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

/** An hour as charts name it: `11-23 16:00`. */
export const hourLabel = (at: EpochMillis): string => exactTime(at).slice(5, 16)
