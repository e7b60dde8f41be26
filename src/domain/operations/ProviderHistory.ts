import { Schema, Struct } from "effect"
import { ProviderName } from "../ProviderName.ts"
import { EpochMillis } from "../Time.ts"

/** The time that the smallest part of the history covers. */
export const bucketMillis = 300_000

/** The beginning of the smallest part that a moment belongs to. */
export const bucketOf = (at: number): EpochMillis => EpochMillis.make(at - at % bucketMillis)

/** How a call ended that is no failure of the upstream: as the operator sees it in `GET /providers`. */
export const endings = ["succeeded", "refused", "cancelled", "rejected"] as const

/** How a call ended that the upstream answered. */
export const answers = ["succeeded", "refused"] as const satisfies ReadonlyArray<typeof endings[number]>

/** Why a call failed, and how that is said; `slow`: it succeeded too late. */
export const failureText = {
  timedOut: "timed out",
  unreachable: "unreachable",
  malformed: "malformed response",
  upstreamFailed: "provider error",
  rateLimited: "rate-limited",
  slow: "answered, but too slow",
  broken: "error in Swap Broker",
} as const
export const failureClasses = Struct.keys(failureText)
export type FailureClass = keyof typeof failureText

/** The longest times of the calls that are counted together, in milliseconds; longer ones are the last. */
export const latencyBounds = [25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const

const latencyCounts = [
  "took25",
  "took50",
  "took100",
  "took250",
  "took500",
  "took1000",
  "took2500",
  "took5000",
  "took10000",
  "took30000",
  "tookLonger",
] as const

/** Of quotes that several providers were asked for: lists with an offer of this one, and with the best of all. */
const offers = ["offered", "best"] as const

/** Every figure of a part of the history; each is a sum, so that replicas and parts add up. */
export const historyFigures = [
  ...endings,
  ...failureClasses,
  ...latencyCounts,
  "openMillis",
  ...offers,
] as const
export type HistoryFigure = typeof historyFigures[number]

/** The figures; absent ones are 0. */
export type HistoryFigures = Readonly<Partial<Record<HistoryFigure, number>>>

/** The figure that a call of this duration is counted by. */
export const latencyFigureOf = (millis: number): HistoryFigure => {
  const index = latencyBounds.findIndex((bound) => millis <= bound)
  return latencyCounts[index] ?? "tookLonger"
}

/** The most milliseconds of this share of calls; undefined without any, Infinity above the last bound. */
export const latencyAt = (figures: HistoryFigures, share: number): number | undefined => {
  const counts = latencyCounts.map((name) => figures[name] ?? 0)
  const wanted = share * counts.reduce((sum, count) => sum + count, 0)
  if (wanted === 0) return undefined
  let below = 0
  for (const [index, count] of counts.entries()) {
    if (below + count >= wanted) {
      const to = latencyBounds[index] ?? Infinity
      const from = latencyBounds[index - 1] ?? 0
      return to === Infinity ? to : from + (to - from) * (wanted - below) / count
    }
    below += count
  }
  return undefined
}

/** A part of the history of a provider: the calls of a group of operations that ended in it. */
export interface HistoryPart {
  readonly operation: string
  /** When the part begins. */
  readonly at: EpochMillis
  readonly figures: HistoryFigures
}

/** The period of a provider's history to read, in parts of some length. */
export interface HistoryPeriod {
  readonly provider: ProviderName
  readonly from: EpochMillis
  /** Not included. */
  readonly to: EpochMillis
  /** The length of a part: whole multiples of `bucketMillis`. */
  readonly partMillis: number
}

const Count = Schema.Int

/** What became of the calls of a group of operations in a part of the time. */
export const ToldPart = Schema.Struct({
  operation: Schema.String.annotate({
    description: "Group of operations: quote, open, status, node or treasury.",
  }),
  at: EpochMillis.annotate({ description: "When the part begins." }),
  calls: Count.annotate({ description: "Calls that were made and ended." }),
  succeeded: Count.annotate({ description: "Of these, calls that the upstream answered." }),
  refused: Count.annotate({ description: "Calls in which the upstream refused what was asked." }),
  failed: Count.annotate({ description: "Calls in which the upstream failed." }),
  failures: Schema.Record(Schema.String, Count).annotate({
    description: `Failed calls by cause: ${failureClasses.join(", ")}; causes without any are left out.`,
  }),
  cancelled: Count.annotate({ description: "Calls that were abandoned, as no caller waited any more." }),
  rejected: Count.annotate({
    description: "Calls that were not made, because calls were paused or all slots were taken.",
  }),
  p50Millis: Schema.optionalKey(Schema.Int.annotate({
    description: "Half of the calls took at most about this long; 30000 stands for everything longer, too.",
  })),
  p90Millis: Schema.optionalKey(Schema.Int.annotate({ description: "Nine in ten took this long at most." })),
  openMillis: Count.annotate({ description: "How long circuits were open, added up over all replicas." }),
})
export type ToldPart = typeof ToldPart.Type

const longest = latencyBounds.at(-1) ?? 0

/** A time in whole milliseconds; the last bound stands for longer ones, too. */
export const tellMillis = (millis: number | undefined): number | undefined =>
  millis === undefined ? undefined : Math.round(Math.min(millis, longest))

export const tellPart = ({ at, figures, operation }: HistoryPart): ToldPart => {
  const of = (figure: HistoryFigure): number => figures[figure] ?? 0
  const failures = failureClasses.flatMap((cause) => of(cause) === 0 ? [] : [[cause, of(cause)] as const])
  const failed = failures.reduce((sum, [, count]) => sum + count, 0)
  const [p50Millis, p90Millis] = [tellMillis(latencyAt(figures, 0.5)), tellMillis(latencyAt(figures, 0.9))]
  return {
    operation,
    at,
    calls: of("succeeded") + of("refused") + failed,
    succeeded: of("succeeded"),
    refused: of("refused"),
    failed,
    failures: Object.fromEntries(failures),
    cancelled: of("cancelled"),
    rejected: of("rejected"),
    ...(p50Millis === undefined ? {} : { p50Millis }),
    ...(p90Millis === undefined ? {} : { p90Millis }),
    openMillis: of("openMillis"),
  }
}
