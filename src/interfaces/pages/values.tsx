import { BigDecimal } from "effect"
import { formatUnits } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { type Html, path, type Url } from "./jsx-runtime.ts"
import { fixed, listAmount, roundedDivision } from "#domain/money/listAmount.ts"
import { grouped } from "#domain/figures.ts"
import { durationText, relativeTime } from "#domain/durationText.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"

export { grouped, listAmount }

/** How an amount is written: with all its digits on the page of one thing, short in lists. */
export type AmountForm = "full" | "list"

const chainTitle = (asset: AssetId): string => chainFacts(chainOf(asset)).title

/** An asset with its chain, which is soft: `BTC Bitcoin`. */
export const assetName = (asset: AssetId): Html =>
  <>
    {factsOf(asset).ticker} <span class="ch">{chainTitle(asset)}</span>
  </>

/** The picture of an asset, which the words beside it say, too. */
export const coin = (asset: AssetId): Html => (
  <img class="co" src={path`/logos/${asset}.svg`} alt="" width="16" height="16" />
)

/** An amount with all digits that the books have. */
export const fullAmount = (asset: AssetId, native: bigint): string => grouped(formatUnits(asset, native))

/** How dollars are written: `whole` for figures, with `cents` for commission and what is withdrawn. */
export type DollarForm = "whole" | "cents"

const placesOfForm = { whole: 0, cents: 2 } as const

/** The decimal times 10^`places`, rounded to the nearest whole number, a half away from zero. */
const rounded = ({ scale, value }: BigDecimal.BigDecimal, places: number): bigint => {
  const shift = places - scale
  if (shift >= 0) return value * 10n ** BigInt(shift)
  return roundedDivision(value, 10n ** BigInt(-shift))
}

/** Dollars, rounded to the nearest, as all dollars are estimates: `$22,850`, `$57.07`, `<$0.01`. */
export const dollarText = (usd: BigDecimal.BigDecimal, form: DollarForm): string => {
  const places = placesOfForm[form]
  const shown = rounded(usd, places)
  const written = (value: bigint): string => fixed(value, places).replace(/^−?/, (sign) => `${sign}$`)
  if (shown === 0n && usd.value !== 0n) return usd.value > 0n ? `<${written(1n)}` : `>${written(-1n)}`
  return written(shown)
}

/** A part of a whole in percent. Nothing is none, and not all is not all: `<0.1 %`, `99.9 %`. */
const percent = (part: number, whole: number, places: number): string => {
  if (part === 0) return "0\u00a0%"
  const least = 1 / 10 ** places
  const value = part / whole * 100
  if (part > 0 && value < least / 2) return `<${least.toFixed(places)}\u00a0%`
  if (part < whole && value > 100 - least / 2) return `${(100 - least).toFixed(places)}\u00a0%`
  return `${grouped(value.toFixed(places))}\u00a0%`
}

/** A share with one decimal, `94.4 %`; undefined where there is no whole. */
export const share = (part: number, whole: number): string | undefined =>
  whole > 0 ? percent(part, whole, 1) : undefined

/** A rate with one decimal, and two below 2 %: `1.15 %`; undefined where there is no whole. */
export const rate = (part: number, whole: number): string | undefined =>
  whole > 0 ? percent(part, whole, part / whole < 0.02 ? 2 : 1) : undefined

const signed = (value: number, places: number): string => {
  const text = value.toFixed(places)
  return Number(text) === 0 ? `±${(0).toFixed(places)}` : value > 0 ? `+${grouped(text)}` : grouped(text)
}

/** How much more there is than before, in percent: `+10.3 %`; undefined where there was nothing to compare with. */
export const changeText = (now: number, before: number): string | undefined =>
  before > 0 ? `${signed((now - before) / before * 100, 1)}\u00a0%` : undefined

/** How much a rate differs from the one before, both in percent: `+0.39 points`. */
export const pointsText = (now: number, before: number): string => `${signed(now - before, 2)} points`

const largeUnits: ReadonlyArray<readonly [size: number, name: string]> = [
  [1e12, " T"],
  [1e9, " B"],
  [1e6, " M"],
  [1e3, " k"],
]

/** A number where there is little room, as on an axis: `9,600`, `12.5 k`, `3 M`. */
export const compact = (value: number): string => {
  // What rounds up to the next unit is written in that one.
  const [size, name] = value < 9_999.5
    ? [1, ""]
    : largeUnits.find(([size]) => value >= size * 0.999_95) ?? [1, ""]
  return `${grouped(`${Number((value / size).toFixed(size === 1 ? 2 : 1))}`)}${name}`
}

/** The number of an amount alone, for where its asset stands beside it. The exact one is always in it. */
export const figure = (asset: AssetId, native: bigint, form: AmountForm = "full"): Html => {
  const exact = formatUnits(asset, native)
  const full = fullAmount(asset, native)
  if (form === "full" && full === exact) return <>{full}</>
  const title = form === "list" && `${full} ${factsOf(asset).ticker} on ${chainTitle(asset)}`
  return <data value={exact} title={title}>{form === "list" ? listAmount(asset, native) : full}</data>
}

/** An amount with its asset and chain: `1,204.12 USDC Ethereum`. */
export const amount = (asset: AssetId, native: bigint, form: AmountForm = "full"): Html =>
  <span class="am">{figure(asset, native, form)} {assetName(asset)}</span>

/** Estimated dollars, with the time of their prices. The column or heading calls them estimates, too. */
export const dollars = (
  usd: BigDecimal.BigDecimal,
  form: DollarForm = "whole",
  priced = "at the time of the swap",
): Html =>
  <data value={formatDecimal(usd)} title={`${dollarText(usd, "cents")}, estimate ${priced}`}>
    {dollarText(usd, form)}
  </data>

/** Dollars of an amount that was not paid in, which are in no sum: `expected $13,710`. */
export const unpaidDollars = (usd: BigDecimal.BigDecimal): Html => (
  <span class="soft">expected {dollarText(usd, "whole")}</span>
)

const coloured = (text: string, isGood: boolean): Html =>
  <span class={text.startsWith("±") ? "soft" : isGood ? "up" : "down"}>{text}</span>

/** Which way of a change is good news. */
export type Good = "more" | "less"

/** How much more there is than before, `+10.3 %`, in the colour of good or bad news; undefined without a before. */
export const change = (now: number, before: number, good: Good = "more"): Html | undefined => {
  const text = changeText(now, before)
  return text === undefined ? undefined : coloured(text, now > before === (good === "more"))
}

/** How much a rate differs from the one before, both in percent: `+0.39 points`. */
export const points = (now: number, before: number, good: Good = "less"): Html =>
  coloured(pointsText(now, before), now > before === (good === "more"))

/** The parts of a time of UTC: `Wed`, `29`, `Jul`, `2026`, `14:04:24`. */
const partsOf = (at: EpochMillis) => {
  const [weekday = "", day = "", month = "", year = "", clock = ""] = new Date(at).toUTCString().split(/,? /)
  return { clock, day: day.replace(/^0/, ""), month, weekday, year }
}

/** `29 Jul 2026, 14:04:24 UTC`. */
export const exactTime = (at: EpochMillis): string => {
  const { clock, day, month, year } = partsOf(at)
  return `${day} ${month} ${year}, ${clock} UTC`
}

/** `Wed 29 Jul, 14:04 UTC`: the time of a whole page. */
export const clockTime = (at: EpochMillis): string => {
  const { clock, day, month, weekday } = partsOf(at)
  return `${weekday} ${day} ${month}, ${clock.slice(0, 5)} UTC`
}

/** `18 Nov`: a day in a longer stretch. */
export const dayLabel = (at: EpochMillis): string => {
  const { day, month } = partsOf(at)
  return `${day} ${month}`
}

/** `Wed 18`: a day of a week or two. */
export const weekdayLabel = (at: EpochMillis): string => {
  const { day, weekday } = partsOf(at)
  return `${weekday} ${day}`
}

/** A time, relative to now and exact beside it, for the page of one thing. */
export const time = (at: EpochMillis, now: EpochMillis): Html =>
  <time datetime={toIsoDate(at)}>
    {relativeTime(at, now)} <span class="exact">{exactTime(at)}</span>
  </time>

/** A time of the day, `14:04:24`, with its day where that is another one, for what happened to one thing. */
export const clock = (at: EpochMillis, now: EpochMillis): Html => {
  const { clock, day, month, year } = partsOf(at)
  const today = partsOf(now)
  const isToday = day === today.day && month === today.month && year === today.year
  return (
    <time datetime={toIsoDate(at)} title={exactTime(at)}>
      {isToday ? clock : `${day} ${month}, ${clock.slice(0, 5)}`}
    </time>
  )
}

/** How long ago or ahead a time is, for a list: `4 min ago`, `in 2 h`, `now`. */
export const age = (at: EpochMillis, now: EpochMillis): Html =>
  <time datetime={toIsoDate(at)} title={exactTime(at)}>
    {relativeTime(at, now).replace(/ min \d{1,2} s\b/, " min")}
  </time>

/** How long something has been going on, after "for": `13 s`. */
export const lasting = (since: EpochMillis, now: EpochMillis): Html =>
  <time datetime={toIsoDate(since)} title={exactTime(since)}>{durationText(Math.max(0, now - since))}</time>

/** How long ago or ahead a time is, within a sentence: `4 min ago`, `just now`. */
export const ago = (at: EpochMillis, now: EpochMillis): Html => {
  const text = relativeTime(at, now)
  return <time datetime={toIsoDate(at)} title={exactTime(at)}>{text === "now" ? "just now" : text}</time>
}

/** A time to the minute, for a list: `29 Jul 2026, 14:04`. Its label says that it is UTC. */
export const minute = (at: EpochMillis): Html =>
  <time datetime={toIsoDate(at)} title={exactTime(at)}>{exactTime(at).replace(/:\d\d UTC$/, "")}</time>

/** A time, exact, for what is read at any other time. */
export const moment = (at: EpochMillis): Html => <time datetime={toIsoDate(at)}>{exactTime(at)}</time>

/** A figure of a page: its label, the figure, a line of it by time, and what it is compared with. */
export interface Tile {
  readonly label: string
  readonly figure: Html | string | number
  readonly spark?: Html
  readonly note?: Html | string | undefined
}

/** The figures that a page begins with: three to five. */
export const tiles = (shown: ReadonlyArray<Tile>): Html => (<dl class="tiles">
  {shown.map(({ figure, label, note, spark }) => (
    <div class="tile">
      <dt>{label}</dt>
      <dd>{figure}</dd>
      {spark && <dd>{spark}</dd>}
      {note && <dd class="m">{note}</dd>}
    </div>
  ))}
</dl>)

/** How an hour was. Without calls it was nothing. */
export type Hour = "fine" | "slow" | "failing" | "none"

const looks = { fine: ["f4", 0], slow: ["f2", 7], failing: ["f3", 13], none: ["f0", 18] } as const

const tall = 20

/** A bar for each hour, the last one now. Height tells fine, slow, failing; colour only repeats it. */
export const hours = (label: string, bars: ReadonlyArray<Hour>): Html => {
  const step = 100 / Math.max(1, bars.length)
  const width = `${(step * 0.77).toFixed(2)}%`
  return (
    <svg class="hours" role="img" aria-label={label}>
      {bars.map((hour, index) => {
        const [colour, top] = looks[hour]
        return (
          <rect
            class={colour}
            x={`${(index * step).toFixed(2)}%`}
            width={width}
            y={top}
            height={tall - top}
            rx="1"
          />
        )
      })}
    </svg>
  )
}

/** A bar for each hour or day, as tall as its count beside the largest, or beside `most`; a line where nothing was. */
export const counts = (label: string, bars: ReadonlyArray<number>, most = Math.max(1, ...bars)): Html => {
  const line = bars.map((_, index) => `M${index} 19h.8v1h-.8z`).join("")
  const drawn = bars.map((count, index) => {
    const height = Math.max(2, Math.round(tall * count / most))
    return count === 0 ? "" : `M${index} ${tall - height}h.8v${height}h-.8z`
  }).join("")
  return (
    <svg
      class="hours"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bars.length} ${tall}`}
      preserveAspectRatio="none"
    >
      <path class="f0" d={line} />
      <path class="f5" d={drawn} />
    </svg>
  )
}

/** How much of a limit is used, as a bar. From `warnAt` of it on the bar warns. */
export const meter = (used: number, limit: number, warnAt = 0.8): Html => {
  const part = Math.min(1, limit > 0 ? used / limit : 0)
  return (
    <svg width="100%" height="8" role="img" aria-label={`${share(used, limit) ?? "no limit"} used`}>
      <rect class="f0" width="100%" height="8" rx="4" />
      <rect class={part >= warnAt ? "f2" : "f1"} width={`${(part * 100).toFixed(1)}%`} height="8" rx="4" />
    </svg>
  )
}

/** What a strip tells of one of the things in it: its name and state, two facts, its hours. */
export interface Strip {
  readonly name: string
  readonly to: Url
  readonly state: Html
  readonly left: Html | string
  readonly right: Html | string
  readonly hours: Html
}

/** A few things beside each other with their state, such as the providers. */
export const strip = (shown: ReadonlyArray<Strip>): Html => (
  <ul class="strip">
    {shown.map(({ hours, left, name, right, state, to }) => (
      <li>
        <p>
          <a class="q" href={to}>
            <b>{name}</b>
          </a>{" "}
          {state}
        </p>
        <p>
          <small>{left}</small>
          <small>{right}</small>
        </p>
        {hours}
      </li>
    ))}
  </ul>
)
