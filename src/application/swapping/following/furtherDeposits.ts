import { Effect, Metric, Option, Struct } from "effect"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRecord } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import type { EndRules } from "#providers/Capabilities.ts"
import type { Observed } from "#providers/Provider.ts"
import { type ChannelHolder, LaterSwapsRepo } from "#infrastructure/store/swaps/LaterSwapsRepo.ts"
import type { PaymentsRepo } from "#infrastructure/store/swaps/PaymentsRepo.ts"
import { claimantOf, claimPayments } from "./paymentClaims.ts"
import { countEnd, eventsBetween } from "./Progress.ts"
import { afterFirstAnswer, type LookupPace } from "./LookupPolicy.ts"
import { onTermsOf, otherTermIn } from "./compareTerms.ts"
import { keepBody } from "#domain/swaps/Journal.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { judgeOutcome } from "./judgeOutcome.ts"
import { stallsAt } from "./Stalling.ts"

/** The status of a further deposit, on the terms of the channel. The quote was for the first one. */
const onTermsOfChannel = (known: SwapStatus, found: SwapStatus): SwapStatus => {
  const { depositChannel, ...terms } = Struct.omit(onTermsOf(known, found), ["quote"])
  return depositChannel === undefined
    ? terms
    : { ...terms, depositChannel: { ...depositChannel, isLater: true } }
}

/** The status of a swap whose channel an upstream shows with a later deposit: only the channel is newer. */
export const withChannelIn = (
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
