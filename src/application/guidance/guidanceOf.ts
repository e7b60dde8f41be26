import { usualLanguage } from "#domain/Language.ts"
import type { WhomToAsk } from "#domain/operations/Contact.ts"
import type { Guidance, SwapPhase } from "#domain/swaps/Guidance.ts"
import { type JournalEntry, JournalNote } from "#domain/swaps/Journal.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { type Egress, givenUp, isOver, type SwapStatus } from "#domain/swaps/Swap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { goodProvider, type GuidanceFacts, type ProviderFacts } from "./facts.ts"
import { isLate, type PhaseTimes, timesOf, withinClosing } from "./times.ts"
import { chunkOf, isPricedOut, type PayerTold, payerTold, type Reader } from "./textValues.ts"
import { renderGuidance } from "./words/renderGuidance.ts"
import { isPaid } from "../swapping/following/Progress.ts"

/*
 * Which phase a swap is in, by its record and what else is known. The order of the questions is the order of what a
 * person has to know first.
 */

type Ask = (status: SwapStatus, facts: GuidanceFacts) => SwapPhase

const waiting: Ask = (status, facts) => {
  const { deposit, depositChannel } = status
  if (deposit !== undefined) return "deposit_unnoticed"
  if (depositChannel === undefined) return "deposit_seen"
  if (depositChannel.isExpired) return "channel_expired"
  if (!facts.provider.takesSwaps) return "provider_switched_off"
  if (!facts.provider.takesDeposits) return "network_halted"
  if (withinClosing(depositChannel, facts.now)) return "channel_closing"
  if (depositChannel.memo !== undefined) return "waiting_for_deposit_with_memo"
  return depositChannel.exactAmount === undefined ? "waiting_for_deposit" : "waiting_for_exact_deposit"
}

/** Whether the deposit came after the channel's expiry. Where late deposits are lost none is ever seen. */
const isLateDeposit = (
  { depositChannel }: SwapStatus,
  at: number,
  { lateDeposit }: GuidanceFacts["provider"],
) => depositChannel?.isExpired === true && lateDeposit !== "lost" && at >= depositChannel.estimatedExpiryTime

const receiving: Ask = (status, facts) => {
  const { boost, deposit, depositChannel, sourceChainRequiredBlockConfirmations: required } = status
  const least = depositChannel?.minimumDeposit ?? depositChannel?.expectedDepositAmount
  const { needsAmount, takesDeposits } = facts.provider
  if (isLateDeposit(status, facts.changedAt, facts.provider)) return "late_deposit_seen"
  if (!takesDeposits) return "deposit_waits_for_network"
  if (needsAmount && deposit !== undefined && least !== undefined && deposit.amount < least) {
    return "deposit_incomplete"
  }
  if (boost?.skippedAt !== undefined) return "boost_skipped"
  if (boost !== undefined && boost.boostedAt === undefined) return "boost_pending"
  if (required !== undefined && (deposit?.transactionConfirmations ?? 0) >= required) {
    return "deposit_confirmed"
  }
  return isLate("deposit_seen", status, facts) ? "deposit_late" : "deposit_seen"
}

/** The phase that the last failed try of a chunk leads to (chainflip/wire.md 3.7). */
const retrying = (reason: string | undefined, isDca: boolean): SwapPhase => {
  switch (reason) {
    case "MinPriceViolation":
    case "OraclePriceSlippageExceeded":
    case "OraclePriceStale":
      return isDca ? "dca_waiting_for_price" : "waiting_for_price"
    case "PriceImpactLimit":
      return "waiting_for_liquidity"
    case "SafeModeActive":
      return "swap_paused"
    default:
      return "swap_retrying"
  }
}

const swapping: Ask = (status, facts) => {
  const chunk = chunkOf(status)
  const execution = status.swap?.execution
  const isDca = execution?._tag === "dca"
  if (chunk !== undefined && chunk.retryCount > 0 && chunk.executedAt === undefined) {
    return retrying(chunk.latestSwapRescheduledReason, isDca)
  }
  if (!facts.provider.paysOut) return "swap_waits_for_network"
  if (isDca) return execution.executedChunks === 0 ? "dca_starting" : "dca_between_chunks"
  if (isLate("swapping", status, facts)) return "swap_late"
  return status.boost?.boostedAt === undefined ? "swapping" : "swapping_boosted"
}

const isPending = (egress: Egress | undefined): egress is Egress =>
  egress !== undefined && egress.witnessedAt === undefined && egress.failure === undefined

const paying: Ask = (status, facts) => {
  const { fallbackEgress, refundEgress, swapEgress } = status
  if (isPending(fallbackEgress)) return "fallback_under_way"
  if (isPending(swapEgress) && isPending(refundEgress)) return "both_payments_under_way"
  if (isPending(refundEgress)) {
    if (isLate("refund_scheduled", status, facts)) return "refund_late"
    return refundEgress.transactionReference === undefined ? "refund_scheduled" : "refund_sent"
  }
  if (isLate("payout_scheduled", status, facts)) return "payout_late"
  return swapEgress?.transactionReference === undefined ? "payout_scheduled" : "payout_sent"
}

/** What upstreams call a deposit that came after the deadline. */
const tooLate: ReadonlySet<string> = new Set(["LATE_DEPOSIT", "TTL_EXPIRED"])

const completed: Ask = (status, { provider }) => {
  const { deposit, depositChannel, refundEgress, swapEgress } = status
  if (swapEgress !== undefined && refundEgress !== undefined) {
    return depositChannel?.exactOutput === undefined ? "refunded_partly" : "completed_rest_refunded"
  }
  if (swapEgress !== undefined) return swapEgress.isPromised === true ? "completed_promised" : "completed"
  if (deposit?.failure !== undefined) return "deposit_rejected_refunded"
  if (
    tooLate.has(chunkOf(status)?.abortedReason ?? "") ||
    isLateDeposit(status, deposit?.witnessedAt ?? 0, provider)
  ) {
    return "late_deposit_refunded"
  }
  return isPricedOut(status) ? "refunded_for_price" : "refunded"
}

/** The phase of a deposit that did not become a swap, by the upstream's code for why. */
const refused = (code: string, mode: string): SwapPhase => {
  switch (code) {
    case "BelowMinimumDeposit":
      return "deposit_too_small"
    case "NotEnoughToPayFees":
    case "NothingPaid":
      return "deposit_below_fees"
    case "BLOCKED_WALLET":
      return "deposit_under_review"
    case "refund":
    case "REFUNDED":
      return "refund_unproven"
    default:
      return mode === "DEPOSIT_IGNORED" ? "deposit_ignored" : "deposit_rejected"
  }
}

const failed: Ask = (status) => {
  const { deposit, fallbackEgress, refundEgress, swapEgress } = status
  if (isPaid(fallbackEgress)) return "fallback_paid"
  if (fallbackEgress?.failure !== undefined) return "fallback_failed"
  if (refundEgress?.failure !== undefined) {
    return refundEgress.failure.mode === "REFUND_OUTPUT_TOO_SMALL" ? "refund_too_small" : "refund_failed"
  }
  if (swapEgress?.failure !== undefined) {
    if (swapEgress.transactionPayload !== undefined) return "payout_callable"
    return swapEgress.failure.mode === "SWAP_OUTPUT_TOO_SMALL" ? "payout_too_small" : "payout_failed"
  }
  if (deposit?.failure === undefined) return "failed_unexplained"
  // A part that went back of a swap that was given up says nothing of the rest.
  if (refundEgress !== undefined && deposit.failure.mode !== givenUp) return "deposit_rejected_refunded"
  return refused(deposit.failure.reason.code, deposit.failure.mode)
}

/** The phase of a swap that is over its usual time. */
const stalledPhase = ({ refundEgress, state, swapEgress }: SwapStatus): SwapPhase => {
  if (state === "waiting" || state === "receiving") return "deposit_stalled"
  if (state === "swapping") return "swap_stalled"
  return isPending(refundEgress) && !isPending(swapEgress) ? "refund_stalled" : "payout_stalled"
}

/** What keeps a swap that is not over from going on, or keeps us from knowing. */
const troubleOf = (status: SwapStatus, facts: GuidanceFacts): SwapPhase | undefined => {
  if (facts.contradictedAt !== undefined) return "provider_contradicts"
  if (!facts.provider.isFollowed) return "provider_not_followed"
  if (facts.stalledSince !== undefined) return stalledPhase(status)
  return facts.silentSince === undefined ? undefined : "provider_silent"
}

const underWay: Ask = (status, facts) => {
  switch (status.state) {
    case "waiting":
      return waiting(status, facts)
    case "receiving":
      return receiving(status, facts)
    case "swapping":
      return swapping(status, facts)
    case "sending":
    case "sent":
    case "completed":
    case "failed":
      return paying(status, facts)
  }
}

export const phaseOf: Ask = (status, facts) => {
  if (!isOver(status)) return troubleOf(status, facts) ?? underWay(status, facts)
  return status.state === "completed" ? completed(status, facts) : failed(status, facts)
}

interface Swap {
  readonly platform: ProviderName
  readonly status: SwapStatus
}

const inPhase = (
  phase: SwapPhase,
  { platform, status }: Swap,
  facts: GuidanceFacts,
  reader: Reader,
): Guidance => ({
  phase,
  ...timesOf(phase, status, facts),
  ...renderGuidance(phase, { platform, status, facts }, reader),
})

/** A swap's status in words. The same record and facts always give the same. */
export const guidanceOf = (swap: Swap, facts: GuidanceFacts, reader: Reader = usualLanguage): Guidance =>
  inPhase(phaseOf(swap.status, facts), swap, facts, reader)

/** Where a swap stands, for who pays: words are put to it in the language of the reader (`interfaces/payer/words`). */
export interface PayerGuidance extends PhaseTimes {
  readonly phase: SwapPhase
  readonly whomToAsk?: WhomToAsk
  readonly told: PayerTold
  /** The time by the clock of the record. */
  readonly now: EpochMillis
}

/** The phase is that of `guidanceOf`. */
export const payerGuidanceOf = (status: SwapStatus, facts: GuidanceFacts): PayerGuidance => {
  const phase = phaseOf(status, facts)
  return { phase, ...timesOf(phase, status, facts), told: payerTold(status, facts), now: facts.now }
}

export type OpeningOutcome = "requested" | "unknown" | "refused"

/** The status of an opening without a swap, in words. */
export const guidanceOfOpening = (
  { at, outcome, platform }: {
    readonly platform: ProviderName
    readonly outcome: OpeningOutcome
    readonly at: EpochMillis
  },
  reader: Reader = usualLanguage,
): Guidance => {
  const phase = `opening_${outcome}` as const
  return {
    phase,
    since: at,
    ...renderGuidance(phase, { platform, facts: { provider: goodProvider } }, reader),
  }
}

/** What an entry of a journal meant when it was written. */
export const guidanceOfEntry = (
  { at, note, platform }: JournalEntry,
  provider: ProviderFacts,
  reader: Reader = usualLanguage,
): Guidance =>
  JournalNote.$match(note, {
    Change: ({ status }) =>
      guidanceOf(
        { platform, status },
        { now: status.lastStateChainUpdateAt ?? at, changedAt: at, provider },
        reader,
      ),
    Contradiction: ({ status }) => {
      const facts = { now: at, changedAt: at, contradictedAt: at, provider }
      return inPhase("provider_contradicts", { platform, status }, facts, reader)
    },
    Stall: (): Guidance => ({
      phase: "stalled",
      since: at,
      ...renderGuidance("stalled", { platform, facts: { provider } }, reader),
    }),
  })

/** What an event meant when it was written, by the status of that time. */
export const guidanceOfEvent = (
  { at, platform, status, type }: Swap & { readonly at: EpochMillis; readonly type: string },
  provider: ProviderFacts,
  reader: Reader,
): Guidance =>
  guidanceOf({ platform, status }, {
    now: status.lastStateChainUpdateAt ?? at,
    changedAt: at,
    ...(type === "swap.stalled" ? { stalledSince: at } : {}),
    ...(type === "swap.disputed" ? { contradictedAt: at } : {}),
    provider,
  }, reader)

/** The response about a transaction that is not known. */
export const unknownTransaction = renderGuidance(
  "transaction_unknown",
  { facts: { provider: goodProvider } },
  usualLanguage,
)
