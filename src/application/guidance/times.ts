import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { chainFacts, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { type GuidancePhase, isEnd } from "#domain/swaps/Guidance.ts"
import type { ChannelRecord, Chunk, Egress, SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis, lastMillis } from "#domain/Time.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { timeOfTerms, usualDuration } from "../swapping/following/Stalling.ts"
import type { GuidanceFacts } from "./facts.ts"

/** The time of a phase: its beginning, and when it should be over. */
export interface PhaseTimes {
  readonly since: EpochMillis
  readonly expectedBy?: EpochMillis
}

/** A deposit needs some blocks of its chain to be seen: how many before the expiry it should not be sent any more. */
const lastBlocks = 3
const leastClosing = 600_000

/** The last safe time for a channel's deposit (epoch milliseconds), never in its first half of life. */
export const closesAt = ({ createdAt, estimatedExpiryTime, id }: ChannelRecord): number => {
  const closing = Math.max(leastClosing, lastBlocks * chainFacts(id.network).blockMillis)
  return estimatedExpiryTime - Math.min(closing, (estimatedExpiryTime - createdAt) / 2)
}

/** Whether a channel takes deposits for so short a time that one sent now may be too late. */
export const withinClosing = (channel: ChannelRecord, now: EpochMillis): boolean => now > closesAt(channel)

const firstOf = (...times: ReadonlyArray<EpochMillis | undefined>): EpochMillis | undefined =>
  times.find((time) => time !== undefined)

const chunksOf = ({ swap }: SwapStatus): { readonly current?: Chunk; readonly last?: Chunk } => {
  const execution = swap?.execution
  if (execution === undefined) return {}
  if (execution._tag === "regular") return { current: execution.chunk }
  const { currentChunk, lastExecutedChunk } = execution
  return defined({ current: currentChunk, last: lastExecutedChunk })
}

const paidAt = (...payments: ReadonlyArray<Egress | undefined>): EpochMillis | undefined =>
  firstOf(
    ...payments.map((payment) => payment?.witnessedAt),
    ...payments.map((payment) => payment?.scheduledAt),
  )

const failedAt = (
  { deposit, fallbackEgress, refundEgress, swapEgress }: SwapStatus,
): EpochMillis | undefined =>
  firstOf(
    fallbackEgress?.failure?.failedAt,
    refundEgress?.failure?.failedAt,
    swapEgress?.failure?.failedAt,
    deposit?.failure?.failedAt,
  )

/** When a phase began, by the record; undefined where it does not tell. */
const beganAt = (phase: GuidancePhase, status: SwapStatus, facts: GuidanceFacts): EpochMillis | undefined => {
  const { boost, deposit, depositChannel, fallbackEgress, refundEgress, swapEgress } = status
  switch (phase) {
    case "waiting_for_deposit":
    case "waiting_for_exact_deposit":
    case "waiting_for_deposit_with_memo":
    case "channel_closing":
    case "provider_switched_off":
    case "network_halted":
      return depositChannel?.createdAt
    case "channel_expired":
      return depositChannel?.estimatedExpiryTime
    case "boost_skipped":
      return boost?.skippedAt
    case "swapping_boosted":
      return boost?.boostedAt
    case "waiting_for_price":
    case "waiting_for_liquidity":
    case "dca_waiting_for_price":
    case "swap_paused":
    case "swap_retrying":
      return chunksOf(status).current?.scheduledAt
    case "dca_between_chunks":
      return chunksOf(status).last?.executedAt
    case "swapping":
    case "swap_late":
    case "swap_waits_for_network":
    case "dca_starting":
      return firstOf(deposit?.witnessedAt, facts.enteredAt, chunksOf(status).current?.scheduledAt)
    case "payout_scheduled":
    case "payout_sent":
    case "payout_late":
      return swapEgress?.scheduledAt
    case "refund_scheduled":
    case "refund_sent":
    case "refund_late":
    case "both_payments_under_way":
      return refundEgress?.scheduledAt
    case "fallback_under_way":
      return firstOf(fallbackEgress?.scheduledAt, swapEgress?.failure?.failedAt)
    case "provider_contradicts":
      return facts.contradictedAt
    case "provider_silent":
      return facts.silentSince
    case "deposit_stalled":
    case "swap_stalled":
    case "payout_stalled":
    case "refund_stalled":
    case "stalled":
      return facts.stalledSince
    case "completed":
    case "completed_promised":
      return paidAt(swapEgress)
    case "fallback_paid":
      return paidAt(fallbackEgress)
    case "completed_rest_refunded":
    case "refunded_partly":
      return paidAt(refundEgress, swapEgress)
    default:
      return isEnd(phase) ? firstOf(paidAt(refundEgress), failedAt(status)) : undefined
  }
}

/** The least time that a payment is given from when it is scheduled, and the blocks of its chain. */
const leastPaying = 600_000
const payingBlocks = 3

/** How long a payment out in an asset should take from when it is scheduled. */
export const payingMillis = (asset: AssetId): number =>
  Math.max(leastPaying, payingBlocks * chainFacts(chainOf(asset)).blockMillis)

/**
 * By when a phase that began at `since` should be over, in epoch milliseconds; undefined where nothing is expected. It
 * follows from what is on record alone, so that it stays as it is for as long as the phase lasts: a payment is expected by
 * the end that was estimated when the deposit was credited, or soon after it was scheduled, if that is later.
 */
const endOf = (
  phase: GuidancePhase,
  status: SwapStatus,
  since: EpochMillis,
  facts: GuidanceFacts,
): number | undefined => {
  const estimate = status.estimatedDuration ?? usualDuration
  switch (phase) {
    case "deposit_seen":
    case "deposit_confirmed":
    case "deposit_unnoticed":
    case "late_deposit_seen":
    case "boost_pending":
    case "boost_skipped":
      return since + estimate
    case "payout_scheduled":
    case "payout_sent":
    case "refund_scheduled":
    case "refund_sent":
    case "both_payments_under_way":
    case "fallback_under_way": {
      const { refundEgress, sourceAsset, destinationAsset } = status
      const paying = payingMillis(refundEgress === undefined ? destinationAsset : sourceAsset)
      return Math.max((status.deposit?.witnessedAt ?? since) + estimate, since + paying)
    }
    case "swapping":
    case "swapping_boosted":
    case "swap_retrying":
    case "dca_starting":
      return since + estimate + timeOfTerms(status)
    case "waiting_for_price":
    case "waiting_for_liquidity":
    case "dca_waiting_for_price":
      return since + (status.fillOrKill?.retryDurationBlocks ?? 0) * stateChainBlockMillis
    case "dca_between_chunks":
      return (beganAt("dca_starting", status, facts) ?? since) + estimate + timeOfTerms(status)
    default:
      return undefined
  }
}

const untilExpiry: ReadonlySet<GuidancePhase> = new Set<GuidancePhase>([
  "waiting_for_deposit",
  "waiting_for_exact_deposit",
  "waiting_for_deposit_with_memo",
  "channel_closing",
])

export const timesOf = (phase: GuidancePhase, status: SwapStatus, facts: GuidanceFacts): PhaseTimes => {
  const since = beganAt(phase, status, facts) ?? facts.enteredAt ?? facts.changedAt
  const expiry = status.depositChannel?.estimatedExpiryTime
  if (untilExpiry.has(phase) && expiry !== undefined) return { since, expectedBy: expiry }
  const end = endOf(phase, status, since, facts)
  return end === undefined
    ? { since }
    : { since, expectedBy: EpochMillis.make(Math.min(lastMillis, Math.round(end))) }
}

/** Whether a phase lasts longer than it should. */
export const isLate = (phase: GuidancePhase, status: SwapStatus, facts: GuidanceFacts): boolean => {
  const { expectedBy } = timesOf(phase, status, facts)
  return expectedBy !== undefined && facts.now > expectedBy
}
