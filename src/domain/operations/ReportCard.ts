import type { EndedSwaps, SwapOutcome } from "./Business.ts"
import type { AssetId } from "../chains/Asset.ts"
import { chargedOf, type EarnedCommission, sumsByAsset, UtcDay } from "../money/Commission.ts"
import {
  answers,
  failureClasses,
  type HistoryFigures,
  historyFigures,
  type HistoryPart,
  latencyAt,
  tellMillis,
} from "./ProviderHistory.ts"
import type { ProviderName } from "../ProviderName.ts"
import { dayMillis } from "../Time.ts"

/** The most days that a report card goes back, today included. */
export const mostCardDays = 92

/** The day (UTC) of a moment. */
export const utcDayOf = (at: number): UtcDay => UtcDay.make(new Date(at).toISOString().slice(0, 10))

/** The days from one to the other, both included. */
const daysFrom = (from: UtcDay, to: UtcDay): ReadonlyArray<UtcDay> => {
  const first = Date.parse(from)
  const count = Math.max(0, (Date.parse(to) - first) / dayMillis + 1)
  return Array.from({ length: count }, (_, index) => utcDayOf(first + index * dayMillis))
}

/** How often swaps of a provider stalled on a day: each counts once for each state that lasted too long. */
export interface StallsOfDay {
  readonly day: UtcDay
  readonly stalls: number
}

/** What is recorded of a provider over some days. */
export interface ProviderFacts {
  /** Parts of a day each, by group of operations. */
  readonly calls: ReadonlyArray<HistoryPart>
  /** By day. */
  readonly ended: ReadonlyArray<EndedSwaps>
  readonly stalled: ReadonlyArray<StallsOfDay>
  readonly commission: ReadonlyArray<EarnedCommission>
}

/** What a provider kept of what payers were charged with commission in an asset. */
export interface KeptShare {
  readonly asset: AssetId
  /** In millionths of what was charged. */
  readonly ppm: number
  readonly isEstimate: boolean
}

/** How a provider did over a time. */
export interface Report {
  /** Calls that swaps need, made or not made because the provider was known to be down. */
  readonly calls: number
  /** Of these, calls that it answered, in millionths; a refusal is an answer. Absent without calls. */
  readonly uptimePpm: number | undefined
  /** The times of its quotes, as near as kept counts tell; absent without quotes. */
  readonly p50Millis: number | undefined
  readonly p90Millis: number | undefined
  /** Lists of quotes of several providers in which it had an offer, and in which its offer paid the most. */
  readonly offered: number
  readonly best: number
  readonly swaps: Readonly<Record<SwapOutcome, number>>
  readonly stalls: number
  /** Of the swaps that paid out, by asset; amounts would tell how much is swapped. */
  readonly kept: ReadonlyArray<KeptShare>
}

/** How a provider did, over all days together and on each. */
export interface ReportCard {
  readonly provider: ProviderName
  readonly from: UtcDay
  readonly to: UtcDay
  readonly total: Report
  readonly days: ReadonlyArray<Report & { readonly day: UtcDay }>
}

/** The groups of operations that swaps depend on. */
const ofSwaps: ReadonlyArray<string> = ["quote", "open", "status", "node"]

const sum = <A>(items: ReadonlyArray<A>, of: (item: A) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

const together = (parts: ReadonlyArray<HistoryPart>): HistoryFigures =>
  Object.fromEntries(historyFigures.map((name) => [name, sum(parts, ({ figures }) => figures[name] ?? 0)]))

const keptShares = (commission: ProviderFacts["commission"]): ReadonlyArray<KeptShare> =>
  [...sumsByAsset(commission)].map(([asset, sum]) => ({
    asset,
    ppm: Number(sum.kept * 1_000_000n / chargedOf(sum)),
    isEstimate: sum.isEstimate,
  })).toSorted((one, other) => one.asset < other.asset ? -1 : 1)

/** The report of what was recorded of some time. */
const reportOf = ({ calls, commission, ended, stalled }: ProviderFacts): Report => {
  const figures = together(calls.filter(({ operation }) => ofSwaps.includes(operation)))
  const of = (names: ReadonlyArray<keyof HistoryFigures>) => sum(names, (name) => figures[name] ?? 0)
  const answered = of(answers)
  const all = answered + of([...failureClasses, "rejected"])
  const quotes = together(calls.filter(({ operation }) => operation === "quote"))
  const swaps = (outcome: SwapOutcome) =>
    sum(ended.filter((some) => some.outcome === outcome), ({ swaps }) => swaps)
  return {
    calls: all,
    uptimePpm: all === 0 ? undefined : Math.floor(answered * 1_000_000 / all),
    p50Millis: tellMillis(latencyAt(quotes, 0.5)),
    p90Millis: tellMillis(latencyAt(quotes, 0.9)),
    offered: of(["offered"]),
    best: of(["best"]),
    swaps: { completed: swaps("completed"), refunded: swaps("refunded"), failed: swaps("failed") },
    stalls: sum(stalled, ({ stalls }) => stalls),
    kept: keptShares(commission),
  }
}

const nothing: ProviderFacts = { calls: [], ended: [], stalled: [], commission: [] }

/** What was recorded on each day: found once, as a card has many days. */
export const byDay = (
  { calls, commission, ended, stalled }: ProviderFacts,
): ReadonlyMap<UtcDay, ProviderFacts> => {
  const days = {
    calls: Map.groupBy(calls, ({ at }) => utcDayOf(at)),
    ended: Map.groupBy(ended, ({ at }) => utcDayOf(at)),
    stalled: Map.groupBy(stalled, ({ day }) => day),
    commission: Map.groupBy(commission, ({ day }) => day),
  }
  const all = new Set(Object.values(days).flatMap((known) => [...known.keys()]))
  return new Map([...all].map((day) => [day, {
    calls: days.calls.get(day) ?? [],
    ended: days.ended.get(day) ?? [],
    stalled: days.stalled.get(day) ?? [],
    commission: days.commission.get(day) ?? [],
  }]))
}

/** The report card of what was recorded from one day to the other, both included. */
export const reportCard = (
  { from, provider, to }: Pick<ReportCard, "provider" | "from" | "to">,
  recorded: ReadonlyMap<UtcDay, ProviderFacts>,
): ReportCard => {
  const days = daysFrom(from, to).map((day) => ({ day, facts: recorded.get(day) ?? nothing }))
  return {
    provider,
    from,
    to,
    total: reportOf({
      calls: days.flatMap(({ facts }) => facts.calls),
      ended: days.flatMap(({ facts }) => facts.ended),
      stalled: days.flatMap(({ facts }) => facts.stalled),
      commission: days.flatMap(({ facts }) => facts.commission),
    }),
    days: days.map(({ day, facts }) => ({ day, ...reportOf(facts) })),
  }
}
