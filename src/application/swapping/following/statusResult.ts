import { Cause, Data, Effect, Match, Metric, Option, Struct } from "effect"
import { JournalNote, keepBody } from "#domain/swaps/Journal.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { StoreEffect, StoreUnavailable } from "#domain/StoreError.ts"
import { isOtherDeposit, isSettled, reasonOf, resultOf, type SwapStatus } from "#domain/swaps/Swap.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { EpochMillis } from "#domain/Time.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { EndRules } from "#providers/Capabilities.ts"
import type { Observed } from "#providers/Provider.ts"
import type { DueLookup, Lookup } from "#infrastructure/store/swaps/lookupRows.ts"
import { type ChannelHolder, LaterSwapsRepo } from "#infrastructure/store/swaps/LaterSwapsRepo.ts"
import type { LookupsRepo } from "#infrastructure/store/swaps/LookupsRepo.ts"
import type { PaymentsRepo } from "#infrastructure/store/swaps/PaymentsRepo.ts"
import {
  afterAnswer,
  afterFailure,
  afterFirstAnswer,
  LookupFailure,
  type LookupPace,
  type LookupSchedule,
} from "./LookupPolicy.ts"
import { stallsAt, type UsualTimes } from "./Stalling.ts"
import { claimantIn, claimantOf, claimPayments, onTermsOf, otherTermIn } from "./compareTerms.ts"
import {
  contradictionIn,
  countEnd,
  entersState,
  eventsBetween,
  isLaterSwap,
  isSameEnd,
  kindOfChange,
  takesBack,
  tellTheSame,
} from "./Progress.ts"
import { HourPrices, judgeOutcome, notesByPrices, OutcomeJudgement } from "./judgeOutcome.ts"
import type { BudgetExhausted } from "./NotFoundBudget.ts"
import type { SwapRecord } from "#domain/swaps/SwapRecord.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"

/** The status of a further deposit, on the terms of the channel. The quote was for the first one. */
const onTermsOfChannel = (known: SwapStatus, found: SwapStatus): SwapStatus => {
  const { depositChannel, ...terms } = Struct.omit(onTermsOf(known, found), ["quote"])
  return depositChannel === undefined
    ? terms
    : { ...terms, depositChannel: { ...depositChannel, isLater: true } }
}

/** The status of a swap whose channel an upstream shows with a later deposit: only the channel is newer. */
const withChannelIn = (
  known: SwapStatus,
  { depositChannel, lastStateChainUpdateAt }: SwapStatus,
): SwapStatus => ({
  ...known,
  ...(known.depositChannel === undefined || depositChannel === undefined ? {} : {
    depositChannel: {
      ...known.depositChannel,
      ...Struct.pick(depositChannel, ["estimatedExpiryTime", "isExpired"]),
    },
  }),
  ...defined({ lastStateChainUpdateAt }),
})

/** Records what further deposits to channels became, each once, as a swap of its own (decision 49). */
export const makeFurtherDeposits = (
  repo: LaterSwapsRepo["Service"],
  payments: PaymentsRepo["Service"],
  pace: LookupPace,
) => {
  const firstRecord = makeFirstRecord(payments, pace)
  return Effect.fnUntraced(function* (
    { accountId, id: of, platform, status: known }: ChannelHolder & SwapRecord,
    { body, status: found }: Observed,
    askedAt: EpochMillis,
    rules: EndRules,
  ) {
    if (found.deposit === undefined && found.swapId === undefined) return Option.none()
    const fault = found.depositChannel === undefined || known.depositChannel === undefined
      ? "The upstream names no channel"
      : otherTermIn(known, found)
    if (fault !== undefined) {
      yield* Metric.update(metrics.contradictions({ provider: platform }), 1)
      yield* warnSparsely(
        `others of ${platform}`,
        1,
        `${fault}; no further swap of the channel is recorded`,
      ).pipe(Effect.annotateLogs({ platform, swap: of }))
      return Option.none()
    }
    const recorded = yield* repo.find(of, found)
    if (Option.isSome(recorded)) return recorded
    const status = onTermsOfChannel(known, found)
    const record = yield* firstRecord(claimantOf(platform, status), { body, status }, askedAt, rules)
    const id = yield* repo.record({ accountId, id: of, platform }, record)
    // Another replica was faster.
    if (Option.isNone(id)) return yield* repo.find(of, found)
    yield* countEnd(platform, Option.none(), record.status)
    yield* Effect.annotateLogs(
      Effect.logInfo(`A further deposit to a channel became a swap; its state is ${record.status.state}`),
      { swap: id.value, platform },
    )
    return id
  })
}

/** The status without its end, which is left to the look-ups of the swap: these tell of what they cannot believe. */
const beforeEnd = (status: SwapStatus): SwapStatus => ({
  ...Struct.omit(status, ["swapEgress", "refundEgress", "fallbackEgress"]),
  state: "swapping",
  fees: [],
})

/** The first record of a swap that its upstream reports; a disputable end is left out (decision 37). */
export const makeFirstRecord = (payments: PaymentsRepo["Service"], pace: LookupPace) =>
  Effect.fnUntraced(function* (
    claimant: string,
    { body, status: said }: Observed,
    askedAt: EpochMillis,
    rules: EndRules,
  ) {
    const isBelieved = judgeOutcome(said, said, rules)._tag === "Plausible" &&
      Option.isNone(yield* claimPayments(payments, claimant, said, rules))
    const status = isBelieved ? said : beforeEnd(said)
    return {
      status,
      body: keepBody(body),
      askedAt,
      nextLookupAt: afterFirstAnswer(status, askedAt, pace),
      stallsAt: stallsAt(status, askedAt, pace),
      events: eventsBetween(Option.none(), status),
    }
  })

const retryAfterOf = (error: ProviderError): Option.Option<number> =>
  error.reason._tag === "RateLimited" && error.reason.retryAfterSeconds !== undefined
    ? Option.some(error.reason.retryAfterSeconds * 1_000)
    : Option.none()

/** The account has spent its share of the look-ups a second. */
export class LookupsSpent extends Data.TaggedError("LookupsSpent") {}

/** Why a transaction was not looked up. */
export type NotSearched = BudgetExhausted | LookupsSpent | Cause.TimeoutError | ProviderError

/** A transaction could not be looked up now, so that nobody can say yet whether there is a swap of it. */
export class LookupNotMade extends Data.TaggedError("LookupNotMade")<{ readonly retryAfterSeconds: number }> {
  override get message(): string {
    return "The transaction could not be looked up yet, so it is unknown whether it is yours. Try again"
  }
}

/** How often the service looks for transactions itself, so that asking again may help by then, without a look-up. */
export const searchMillis = 10_000
/** The time in which a budget of look-ups a second is full again. */
const refillMillis = 1_000
/** The time until a failed look-up is worth another try, where nothing better is known. */
const soonMillis = 5_000

const waitMillis = (cause: NotSearched, now: EpochMillis): number => {
  if (cause._tag === "BudgetExhausted") return cause.until - now
  if (cause._tag === "LookupsSpent") return refillMillis
  if (cause._tag === "TimeoutError") return soonMillis
  return cause.reason._tag === "NotCalled"
    ? cause.reason.retryAfterSeconds * 1_000
    : Option.getOrElse(retryAfterOf(cause), () => soonMillis)
}

/** Fails with the time after which it may be looked up, or the service has found it by itself. */
export const lookupNotMade = (cause: NotSearched): Effect.Effect<never, LookupNotMade> =>
  Effect.flatMap(currentMillis, (now) => {
    const wait = Math.max(refillMillis, Math.min(waitMillis(cause, now), searchMillis))
    return Effect.fail(new LookupNotMade({ retryAfterSeconds: Math.ceil(wait / 1_000) }))
  })

const failed = LookupFailure.Failed({ retryAfterMillis: Option.none() })

/** The adapter of a provider failed outside of its port's errors: our own fault, but no reason to stop. */
export class LookupDied extends Data.TaggedError("LookupDied")<{ readonly defect: unknown }> {}

type NoAnswer = BudgetExhausted | Cause.TimeoutError | ProviderError | StoreUnavailable | LookupDied

/** What is odd about an end that can have happened, for the operator. */
const tellNotes = ({ platform }: Lookup, notes: ReadonlyArray<string>) =>
  Effect.forEach(
    notes,
    (note) => Effect.annotateLogs(Effect.logInfo(`A swap has ended, and ${note}`), { platform }),
    { discard: true },
  )

/** Writes look-up results to their swaps, unless another look-up has replaced this one. */
export const makeStatusResult = (
  repo: LookupsRepo["Service"],
  payments: PaymentsRepo["Service"],
  laterSwaps: LaterSwapsRepo["Service"],
  prices: typeof HourPrices.Service,
  usualTimes: typeof UsualTimes.Service,
  options: LookupSchedule,
) => {
  const takeLater = makeFurtherDeposits(laterSwaps, payments, options)

  const fail = Effect.fnUntraced(function* (lookup: Lookup, failure: LookupFailure) {
    const times = { changedAt: lookup.changedAt, now: yield* currentMillis }
    return yield* repo.failed(lookup, afterFailure(failure, lookup.failures + 1, times, options))
  })

  const contradict = Effect.fnUntraced(function* (lookup: Lookup, said: Observed, detail: string) {
    yield* Effect.logWarning(`${detail}; keeping what was known before`)
    yield* Metric.update(metrics.contradictions({ provider: lookup.platform }), 1)
    const at = yield* currentMillis
    // The journal shows no address to pay to but ours; the upstream's own is in the body.
    const status = onTermsOf(lookup.status, said.status)
    const note = JournalNote.Contradiction({ detail, status, body: keepBody(said.body) })
    const times = { changedAt: lookup.changedAt, now: at }
    const next = afterFailure(LookupFailure.Contradicted(), lookup.failures + 1, times, options)
    return yield* repo.contradicted(lookup, { at, note }, next)
  })

  /** The swap keeps what is known of it: an honest upstream tells later what is missing now. */
  const wait = Effect.fnUntraced(function* (lookup: Lookup, detail: string, askedAt: EpochMillis) {
    yield* Effect.logDebug(`${detail}; asking again`)
    const { changedAt, status } = lookup
    const nextLookupAt = afterAnswer(status, { changedAt, now: yield* currentMillis }, options)
    return yield* repo.unchanged(lookup, { status, askedAt, nextLookupAt })
  })

  const judged = Effect.fnUntraced(function* (lookup: Lookup, status: SwapStatus, rules: EndRules) {
    // An end that the operator accepted is told again at the next look-up.
    if (isSameEnd(lookup.status, status)) return OutcomeJudgement.Plausible({ notes: [] })
    const end = judgeOutcome(lookup.status, status, rules)
    if (end._tag !== "Plausible") return end
    return Option.match(yield* claimPayments(payments, claimantIn(lookup), status, rules), {
      onNone: () => end,
      onSome: (detail) => OutcomeJudgement.Disputed({ detail }),
    })
  })

  /** Whether a swap that stands where a deposit has disappeared is on record already, with its own deposit. */
  const isAnothers = ({ id, status }: Lookup, said: Observed) =>
    status.swapId === undefined && isOtherDeposit(status, said.status)
      ? Effect.map(laterSwaps.find(id, said.status), Option.exists((other) => other !== id))
      : Effect.succeed(false)

  const accept = Effect.fnUntraced(function* (
    lookup: Lookup,
    said: Observed,
    askedAt: EpochMillis,
    rules: EndRules,
  ) {
    const isLater = isLaterSwap(lookup.status, said.status) || (yield* isAnothers(lookup, said))
    const detail = (isLater ? otherTermIn : contradictionIn)(lookup.status, said.status)
    if (detail !== undefined) return yield* contradict(lookup, said, detail)
    // Recorded before the look-up is over: whatever comes between, the next one sees them again.
    const others = isLater ? [said, ...(said.others ?? [])] : said.others ?? []
    yield* Effect.forEach(others, (other) => takeLater(lookup, other, askedAt, rules), { discard: true })
    const status = onTermsOf(lookup.status, isLater ? withChannelIn(lookup.status, said.status) : said.status)
    const end = yield* judged(lookup, status, rules)
    if (end._tag === "Disputed") return yield* contradict(lookup, said, end.detail)
    if (end._tag === "Waits") return yield* wait(lookup, end.detail, askedAt)
    if (takesBack(lookup.status, status)) {
      yield* Effect.logWarning("The upstream takes back that the swap failed")
    }
    const isSame = tellTheSame(lookup.status, status)
    const changedAt = isSame ? lookup.changedAt : askedAt
    const nextLookupAt = afterAnswer(status, { changedAt, now: yield* currentMillis }, options)
    const result = { status, askedAt, nextLookupAt }
    const usual = usualTimes(lookup.platform, status.sourceAsset, status.destinationAsset)
    if (isSame) return yield* repo.unchanged(lookup, result)
    yield* tellNotes(lookup, [...end.notes, ...(yield* notesByPrices(lookup.status, status, prices))])
    const isWritten = yield* repo.changed(lookup, {
      ...result,
      note: JournalNote.Change({
        kind: kindOfChange(lookup.status, status),
        status,
        body: keepBody(said.body),
      }),
      events: eventsBetween(Option.some(lookup.status), status),
      entered: entersState(lookup.status, status)
        ? Option.some({ stallsAt: stallsAt(status, askedAt, options, usual) })
        : Option.none(),
    })
    if (isWritten) yield* countEnd(lookup.platform, Option.some(lookup.status), status)
    if (isWritten && isSettled(status) && entersState(lookup.status, status)) {
      const { account, platform } = lookup
      const { destinationAsset, sourceAsset, state } = status
      yield* Effect.annotateLogs(Effect.logInfo("A swap has ended"), {
        platform,
        account,
        pair: `${sourceAsset} to ${destinationAsset}`,
        state,
        result: resultOf(status) ?? state,
        ...optionalMembers(reasonOf(status), (reason) => ({ reason })),
      })
    }
    return isWritten
  })

  /** An answer that cannot be written is itself at fault, not the process: asking again may bring another. */
  const unkept = (lookup: Lookup) => (defect: unknown) =>
    Effect.andThen(Effect.logError("The status of a swap could not be stored", defect), fail(lookup, failed))

  /** A failure without a call says nothing of the swap: its look-up has not failed, and is postponed. */
  const failUpstream = Effect.fnUntraced(function* (lookup: DueLookup, error: ProviderError) {
    yield* Effect.logDebug("A look-up failed; asking again later", error)
    if (error.reason._tag !== "NotCalled") {
      return yield* fail(lookup, LookupFailure.Failed({ retryAfterMillis: retryAfterOf(error) }))
    }
    const wait = Math.ceil(error.reason.retryAfterSeconds * 1_000)
    return yield* repo.postponed(lookup, EpochMillis.make((yield* currentMillis) + wait))
  })

  const write = (lookup: Lookup, answer: Option.Option<Observed>, askedAt: EpochMillis, rules: EndRules) =>
    Option.match(answer, {
      onNone: () => fail(lookup, LookupFailure.NotFound()),
      onSome: (said) => Effect.catchDefect(accept(lookup, said, askedAt, rules), unkept(lookup)),
    })

  const writeFailure = (lookup: DueLookup, failure: NoAnswer): StoreEffect<boolean> =>
    Match.valueTags(failure, {
      // An account's spent share does not change when the tracker asks.
      BudgetExhausted: ({ until }) =>
        Effect.flatMap(OnBehalfOf, (account) =>
          repo.postponed(
            lookup,
            account === undefined ? until : Option.getOrElse(lookup.dueAt, () => until),
          )),
      TimeoutError: () => fail(lookup, failed),
      ProviderError: (error) => failUpstream(lookup, error),
      StoreUnavailable: Effect.fail,
      LookupDied: ({ defect }) =>
        Effect.andThen(Effect.logError("A look-up hit an internal error", defect), fail(lookup, failed)),
    })

  return {
    /** Writes the answer of an upstream that was asked at `askedAt`; none means that it does not know the swap. */
    write,
    /** Writes that the upstream gave no answer. */
    writeFailure,
    /** Writes that no upstream could be asked. */
    writeFailed: (lookup: Lookup) => fail(lookup, failed),
  }
}
