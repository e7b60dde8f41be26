import { BigDecimal, Effect } from "effect"
import { Business } from "#application/business/Business.ts"
import type { BusinessFigure, BusinessOverview, Period } from "#domain/operations/Business.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { UsdValue } from "#domain/money/UsdValue.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import {
  change,
  compact,
  dayLabel,
  type DollarForm,
  dollars,
  dollarText,
  grouped,
  points,
  rate,
  share,
  type Tile,
  tiles,
  weekdayLabel,
} from "../../pages/values.tsx"
import { bars, hourLabel, hourMillis, sparkline } from "../../pages/charts.tsx"
import { counted } from "#domain/figures.ts"
import { type Html, nothing, path, withQuery } from "../../pages/jsx-runtime.ts"
import { columns } from "../../pages/parts.tsx"
import { providerTitle } from "#providers/Registry.ts"
import { barsOf, type FigurePeriod, periodSegments, totalsOf } from "./period.ts"

/** What was swapped and earned in a period, beside what it is compared with. */
export interface Compared {
  readonly period: FigurePeriod
  readonly now: ReadonlyArray<BusinessFigure>
  readonly before: ReadonlyArray<BusinessFigure>
}

/** The account that a viewer sees the figures of; none for the operator, who sees them all. */
export const accountOf = (viewer: Viewer) =>
  viewer._tag === "Integrator" ? { account: viewer.account.name } : {}

/** Reads the figures of a period, and of the one that it is compared with. */
export const comparedOf = Effect.fnUntraced(function* (
  of: ReturnType<typeof accountOf>,
  period: FigurePeriod,
) {
  const { figures } = yield* Business
  const read = ({ before, from }: Period) => figures({ from, before, step: period.step, ...of })
  const compared: Compared = { period, now: yield* read(period), before: yield* read(period.compared) }
  return compared
})

const toNumber = (value: UsdValue): number => BigDecimal.toNumberUnsafe(value)

/** The figures of each bar of the period, and of the same bar of the one before. */
const byBar = ({ before, now, period }: Compared) =>
  barsOf(period).map((at) => {
    const earlier = EpochMillis.make(at - (period.from - period.compared.from))
    return {
      at,
      totals: totalsOf(now.filter((one) => one.at === at)),
      before: totalsOf(before.filter((one) => one.at === earlier)),
    }
  })

/** The most days that are named by their day of the week. */
const mostWeekdays = 7

/** What a bar is called: `14:00`, `Wed 18`, `18 Nov` where there are many, and `Today`. */
const barLabel = ({ before, goesOn, step }: FigurePeriod, count: number) => (at: EpochMillis): string => {
  if (step === "hour") return hourLabel(at)
  if (goesOn && before - at < 24 * hourMillis) return "Today"
  return count > mostWeekdays ? dayLabel(at) : weekdayLabel(at)
}

const percentOf = (part: number, whole: number): number => whole === 0 ? 0 : part / whole * 100

const comparison = (change: Html | undefined, from: Html | string, words: string): Html =>
  change === undefined ? <>nothing {words}</> : <>{change} from {from} {words}</>

/** How many swaps are in no sum of dollars, where there are some. */
const withoutPrice = (unvalued: number): Html => <>{unvalued > 0 && <>; {unvalued} without a price</>}</>

const worstProvider = (figures: ReadonlyArray<BusinessFigure>): Html => {
  const failed = figures.filter(({ measure }) => measure === "failed")
  const counts = Map.groupBy(failed, ({ platform }) => platform)
  const [worst] = [...counts].map(([platform, rows]) => ({
    platform,
    swaps: rows.reduce((sum, { swaps }) => sum + swaps, 0),
  })).toSorted((one, other) => other.swaps - one.swaps)
  if (worst === undefined) return nothing
  const all = counts.size === 1
  return <>{all ? " at" : `, ${worst.swaps} of them at`} {providerTitle(worst.platform)}</>
}

/** What goes on now, whatever the period is. */
const underWay = ({ underWay }: BusinessOverview): string => {
  const waiting = underWay.filter(({ state }) => state === "waiting")
    .reduce((sum, { swaps }) => sum + swaps, 0)
  const all = underWay.reduce((sum, { swaps }) => sum + swaps, 0)
  return `Now ${grouped(`${all - waiting}`)} in progress, ${grouped(`${waiting}`)} waiting for a deposit.`
}

/** The figures that answer how business is: of all accounts, or of the one that they are of. */
export const headline = (compared: Compared, of: { readonly account?: string } = {}, over = ""): Html => {
  const [now, before] = [totalsOf(compared.now), totalsOf(compared.before)]
  const parts = byBar(compared).map(({ totals }) => totals)
  const words = compared.period.comparedWith
  const earned = rate(toNumber(now.commission.value), toNumber(now.volume.value))
  const dollarTile = (
    label: string,
    measure: "volume" | "commission",
    form: DollarForm,
    more = "",
  ): Tile => ({
    label: `${label}${over}`,
    figure: dollars(now[measure].value, form),
    spark: sparkline(parts.map((totals) => toNumber(totals[measure].value))),
    note: (
      <>
        {comparison(
          change(toNumber(now[measure].value), toNumber(before[measure].value)),
          dollars(before[measure].value, form),
          words,
        )}
        {more}
        {withoutPrice(now[measure].unvalued)}
      </>
    ),
  })
  return tiles([
    dollarTile("Volume", "volume", "whole"),
    dollarTile("Commission", "commission", "cents", earned === undefined ? "" : `; ${earned} of the volume`),
    {
      label: `Completed${over}`,
      figure: grouped(`${now.volume.swaps}`),
      spark: sparkline(parts.map(({ volume }) => volume.swaps)),
      note: (
        <>
          {comparison(
            change(now.volume.swaps, before.volume.swaps),
            grouped(`${before.volume.swaps}`),
            words,
          )}; {share(now.volume.swaps, now.ended) ?? "none"} of {grouped(`${now.ended}`)} that ended
        </>
      ),
    },
    {
      label: `Failure rate${over}`,
      figure: rate(now.failed.swaps, now.ended) ?? "–",
      spark: sparkline(parts.map(({ ended, failed }) => percentOf(failed.swaps, ended))),
      note: (
        <>
          {now.ended > 0 && before.ended > 0 && (
            <>
              {points(
                percentOf(now.failed.swaps, now.ended),
                percentOf(before.failed.swaps, before.ended),
              )};{" "}
            </>
          )}
          <a href={withQuery(path`/dashboard/swaps`, { view: "failed", ...of })}>
            {grouped(`${now.failed.swaps}`)} failed
          </a>
          {worstProvider(compared.now)}
        </>
      ),
    },
  ])
}

/** The bars of a period: what each is called, and whether it goes on. */
const barsBy = (compared: Compared) => {
  const { period } = compared
  const shown = byBar(compared)
  const label = barLabel(period, shown.length)
  return shown.map(({ at, before, totals }) => ({
    label: label(at),
    before,
    totals,
    isPartial: period.goesOn && at === shown.at(-1)?.at,
  }))
}

const dollarForms = {
  volume: (step: string) => ({ title: `Volume by ${step}`, form: "whole" }),
  commission: (step: string) => ({ title: `Commission by ${step}`, form: "cents" }),
} satisfies Record<string, (step: string) => { readonly title: string; readonly form: DollarForm }>

/** Dollars by hour or day, beside those of the period before. */
export const dollarChart = (compared: Compared, measure: keyof typeof dollarForms): Html => {
  const { period: { comparedWith, goesOn, step } } = compared
  const { form, title } = dollarForms[measure](step)
  return bars({
    caption: title,
    title,
    said: <b>{dollars(totalsOf(compared.now)[measure].value, form)}</b>,
    series: [{ name: `${measure} ≈ USD`, tone: "info" }],
    bars: barsBy(compared).map(({ before, totals, ...bar }) => ({
      ...bar,
      parts: [toNumber(totals[measure].value)],
      before: toNumber(before[measure].value),
    })),
    written: (value) => dollarText(BigDecimal.fromNumberUnsafe(value), form),
    short: (value) => `$${compact(Math.round(value))}`,
    before: `same ${step}, ${comparedWith}`,
    ...(goesOn ? { partial: "so far" } : {}),
  })
}

const endsChart = (compared: Compared): Html => {
  const totals = totalsOf(compared.now)
  const title = `Swaps that ended, by ${compared.period.step}`
  return bars({
    caption: title,
    title,
    said: (
      <>
        <b>{counted(totals.ended, "swap")}</b>: {grouped(`${totals.volume.swaps}`)} completed,{" "}
        {grouped(`${totals.refunded.swaps}`)} refunded, {grouped(`${totals.failed.swaps}`)} failed
      </>
    ),
    series: [
      { name: "completed", tone: "plain" },
      { name: "refunded", tone: "warn" },
      { name: "failed", tone: "bad" },
    ],
    bars: barsBy(compared).map(({ isPartial, label, totals }) => ({
      label,
      isPartial,
      parts: [totals.volume.swaps, totals.refunded.swaps, totals.failed.swaps],
    })),
  })
}

/** The period, the choice of another, its figures and charts. */
export const figuresPart = (compared: Compared, overview: BusinessOverview): Html => {
  const { period } = compared
  const inProgress = underWay(overview)
  const last = period.goesOn ? "until now" : `to ${dayLabel(EpochMillis.make(period.before - 1))}`
  return (
    <>
      <section aria-labelledby="figures-title" id="figures">
        <div class="head">
          <h2 id="figures-title" class="h1">{period.title}</h2>
          <small>{dayLabel(period.from)} {last} (UTC). Dollars are estimates. {inProgress}</small>
          {periodSegments(path`/dashboard`, period.name)}
        </div>
        <div id="tiles" data-live="">{headline(compared)}</div>
      </section>
      <div id="charts" data-live="">
        {columns("even", dollarChart(compared, "commission"), endsChart(compared))}
      </div>
    </>
  )
}
