import { BigDecimal, Clock, Duration, Effect, Option, Result } from "effect"
import { CurrentActor } from "#api/Authorization.ts"
import { healthOf, Overview, type ProviderStanding, wholeSwitch } from "#providers/Registry.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import { NoProviderAvailable } from "#application/quoting/Quoting.ts"
import { Reindexing } from "#application/swapping/following/Reindexing.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import { WireWitness } from "#providers/witness/WireWitness.ts"
import type { Stalls, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { unclassifiedRetrySeconds } from "../requests/providerProblem.ts"
import { ProviderUnknown } from "../requests/problems.ts"
import { failAsProblem, handlersOf } from "../requests/failedRequests.ts"
import { Switches } from "#providers/Switches.ts"
import type { OperationBody, ProviderBody, ProviderHistoryParameters, SwitchBody } from "#api/Providers.ts"
import { combineIssues, issueAbout, noIssues } from "#domain/Issues.ts"
import { bucketMillis, type HistoryPeriod } from "#domain/operations/ProviderHistory.ts"
import { dayMillis, EpochMillis } from "#domain/Time.ts"
import { ProviderHistory } from "#infrastructure/ops/ProviderHistory.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { accept } from "../requests/parameterIssues.ts"
import type { ReportCardBody, ReportCardParameters } from "#api/Business.ts"
import { ReportCards } from "#application/business/ReportCards.ts"
import { mostCardDays, type Report, type ReportCard, utcDayOf } from "#domain/operations/ReportCard.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { ProviderView } from "#providers/guard/Guard.ts"
import type { WireRound } from "#domain/operations/WireRound.ts"

type Group = ProviderView[keyof ProviderView]

const circuits = { Closed: "closed", Open: "open", HalfOpen: "halfOpen" } as const

const presentOperation = (
  { circuit, window, calls, lastError, averageMillis }: Group,
  now: number,
): OperationBody => ({
  circuit: circuits[circuit._tag],
  window: {
    succeeded: window.filter((outcome) => outcome === "succeeded").length,
    failed: window.filter((outcome) => outcome === "failed").length,
  },
  ...(circuit._tag === "Open"
    ? { nextProbeAt: EpochMillis.make(Math.ceil(now + Duration.toMillis(circuit.retryAfter))) }
    : {}),
  ...defined({ lastError }),
  calls,
  ...(averageMillis === undefined ? {} : { averageMillis: Math.round(averageMillis) }),
})

const disabledReason = (standing: ProviderStanding): string | undefined =>
  standing.registered === undefined
    ? "not part of this build, or not configured"
    : wholeSwitch(standing)?.reason

const presentStalls = (stalls: Stalls | undefined) =>
  stalls === undefined ? { stalledSwaps: 0 } : { stalledSwaps: stalls.swaps, stalledSince: stalls.since }

/** The state of a provider, as the operator reads it. */
const presentProvider = (
  standing: ProviderStanding,
  stalls: ReadonlyArray<Stalls>,
  rounds: ReadonlyArray<WireRound>,
): Effect.Effect<ProviderBody> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { contact, endings, name, registered, switches } = standing
    const reason = disabledReason(standing)
    return {
      name,
      contact,
      registered: registered !== undefined,
      enabled: reason === undefined,
      ...defined({ disabledReason: reason }),
      ...(registered === undefined ? {} : {
        capabilities: {
          ...registered.capabilities,
          channels: registered.channels,
          vaultSwaps: registered.vaultSwaps,
        },
        circuits: registered.circuits,
        operations: {
          quote: presentOperation(registered.operations.quote, now),
          open: presentOperation(registered.operations.open, now),
          status: presentOperation(registered.operations.status, now),
          node: presentOperation(registered.operations.node, now),
          treasury: presentOperation(registered.operations.treasury, now),
        },
      }),
      ...presentStalls(stalls.find(({ platform }) => platform === name)),
      ...optionalMembers(rounds.find(({ provider }) => provider === name), (wire) => ({ wire })),
      endings,
      switches: switches.map(({ platform: _platform, enabled: _enabled, ...rest }) => rest),
    }
  })

/** A provider that does not answer is to be asked again; why it does not is in the log and at `GET /providers`. */
const toUnavailable = (error: ProviderError) =>
  Effect.fail(
    new NoProviderAvailable({
      detail: `${error.provider} could not be asked: try again`,
      retryAfterSeconds: unclassifiedRetrySeconds,
    }),
  )

/** The most parts that one answer can have of an operation. */
const mostParts = 2_016

const hourMinutes = 60
const minuteMillis = 60_000

/** What is wrong with a period, if anything is. */
const periodIssues = ({ from, partMillis, to }: Omit<HistoryPeriod, "provider">) => {
  if (from >= to) return issueAbout("from", "must be before to")
  if (partMillis % bucketMillis !== 0) return issueAbout("partMinutes", "must be a multiple of 5")
  return (to - from) / partMillis > mostParts
    ? issueAbout("partMinutes", `must be longer for so long a period, which may have ${mostParts} parts`)
    : undefined
}

/** The period that a query asks for: the last day in parts of an hour unless it says otherwise. */
const periodOf = Effect.fnUntraced(function* ({ from, partMinutes, to }: ProviderHistoryParameters) {
  const end = to ?? (yield* currentMillis)
  const period = {
    from: EpochMillis.make(from ?? Math.max(0, end - dayMillis)),
    to: EpochMillis.make(end),
    partMillis: (partMinutes ?? hourMinutes) * minuteMillis,
  }
  const issues = periodIssues(period)
  return yield* accept([], issues === undefined ? Result.succeed(period) : Result.fail(issues))
})

/** How the provider of a path stands. */
const knownProvider = (overview: Overview["Service"], name: string) =>
  Effect.flatMap(
    overview.find(name),
    Option.match({ onNone: () => Effect.fail(new ProviderUnknown()), onSome: Effect.succeed }),
  )

export const ProvidersHandlers = handlersOf("providers")(Effect.fnUntraced(function* (handlers) {
  const overview = yield* Overview
  const switches = yield* Switches
  const watchdog = yield* StallDetector
  const witness = yield* WireWitness
  const repairs = yield* Reindexing
  const providerHistory = yield* ProviderHistory

  const known = (name: string) => knownProvider(overview, name)

  const view = Effect.gen(function* () {
    const stalls = yield* watchdog.stalls
    const rounds = yield* witness.rounds
    return yield* Effect.forEach(yield* overview.all, (standing) => presentProvider(standing, stalls, rounds))
  })

  const change = Effect.fnUntraced(function* (path: string, wish: typeof SwitchBody.Type) {
    const { name } = yield* known(path)
    yield* switches.set({ ...wish, platform: name }, yield* CurrentActor)
    return yield* presentProvider(yield* known(name), yield* watchdog.stalls, yield* witness.rounds)
  })

  const reindex = Effect.fnUntraced(function* (id: SwapRecordId) {
    const found = yield* repairs.reindex(id)
    return { found: found.map(({ amount, ...balance }) => ({ ...balance, amountNative: `${amount}` })) }
  }, Effect.catchTag("ProviderError", toUnavailable))

  const history = Effect.fnUntraced(function* (path: string, query: ProviderHistoryParameters) {
    const { name } = yield* known(path)
    return yield* providerHistory.read({ provider: name, ...yield* periodOf(query) })
  })

  return handlers
    .handle("providers", () => failAsProblem(view))
    .handle("history", ({ params, query }) => failAsProblem(history(params.name, query)))
    .handle("switch", ({ params, payload }) => failAsProblem(change(params.name, payload)))
    .handle("reindexSwap", ({ params }) => failAsProblem(reindex(params.id)))
}))

export const ProviderHealthHandlers = handlersOf("providerHealth")(Effect.fnUntraced(function* (handlers) {
  const overview = yield* Overview
  const health = Effect.map(overview.all, (all) =>
    all
      .filter(({ registered }) => registered !== undefined)
      .map((standing) => ({ name: standing.name, status: healthOf(standing) })))
  return handlers.handle("health", () => health)
}))

/** Millionths as percent: four decimals. */
const percent = (ppm: number): BigDecimal.BigDecimal => BigDecimal.make(BigInt(ppm), 4)

const presentReport = ({ best, offered, p50Millis, p90Millis, uptimePpm, ...counts }: Report) => ({
  calls: counts.calls,
  ...optionalMembers(uptimePpm, (ppm) => ({ uptimePercent: percent(ppm) })),
  ...defined({ p50Millis, p90Millis }),
  offered,
  ...(offered === 0 ? {} : { bestPercent: percent(Math.floor(best * 1_000_000 / offered)) }),
  swaps: counts.swaps,
  stalls: counts.stalls,
  kept: counts.kept.map(({ ppm, ...share }) => ({ ...share, percent: percent(ppm) })),
})

/** A report card as the contract shows it. */
const presentReportCard = ({ days, from, provider, to, total }: ReportCard): ReportCardBody => ({
  provider,
  from,
  to,
  total: presentReport(total),
  days: days.map(({ day, ...report }) => ({ day, ...presentReport(report) })),
})

const cardDays = 30

/** The days that a card is asked for: the last thirty unless the query says otherwise. */
const cardDaysOf = Effect.fnUntraced(function* (query: ReportCardParameters) {
  const now = yield* currentMillis
  const to = query.to ?? utcDayOf(now)
  const from = query.from ?? utcDayOf(Math.max(0, Date.parse(to) - (cardDays - 1) * dayMillis))
  const earliest = utcDayOf(Math.max(0, now - (mostCardDays - 1) * dayMillis))
  const issues = combineIssues([
    from > to ? issueAbout("from", "must not be after to") : noIssues,
    from < earliest ? issueAbout("from", `must be ${earliest} or later`) : noIssues,
    to > utcDayOf(now) ? issueAbout("to", "must not be after today (UTC)") : noIssues,
  ])
  return yield* accept([issues], Result.succeed({ from, to }))
})

export const ReportCardHandlers = handlersOf("reportCards")(Effect.fnUntraced(function* (handlers) {
  const overview = yield* Overview
  const cards = yield* ReportCards
  const report = Effect.fnUntraced(function* (path: string, query: ReportCardParameters) {
    const { name } = yield* knownProvider(overview, path)
    const { from, to } = yield* cardDaysOf(query)
    return presentReportCard(yield* cards.read(name, from, to))
  })
  return handlers.handle("reportCard", ({ params, query }) => failAsProblem(report(params.name, query)))
}))
