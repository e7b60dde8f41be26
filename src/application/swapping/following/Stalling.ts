import { Context, Option } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { chainFacts, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { hasPendingEgress, isSettled, type SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { LookupPace } from "./LookupPolicy.ts"

/** The estimate if the upstream gives none, in milliseconds. */
export const usualDuration = 3_600_000

/** The least estimate: estimates of seconds are often missed, without a reason worth reporting. */
const leastDuration = 600_000

/** The least duration in real time, as simulated time can run so fast that nothing would ever be in time. */
const leastRealDuration = 5_000

/** The time of a swap's own terms: the intervals between its chunks, and the wait for its price. */
export const timeOfTerms = ({ dca, fillOrKill }: SwapStatus): number => {
  const between = dca === undefined ? 0 : (dca.numberOfChunks - 1) * dca.chunkIntervalBlocks
  return (between + (fillOrKill?.retryDurationBlocks ?? 0)) * stateChainBlockMillis
}

/** The blocks that a healthy payment may be late: mined ones come by chance, once in 1,000 eleven for two or three. */
const lateBlocks = 9

/** Milliseconds from deposit to payout that 90 % of our swaps of a pair took; undefined where there are too few. */
export const UsualTimes = Context.Reference<
  (platform: ProviderName, source: AssetId, destination: AssetId) => number | undefined
>("swap-broker/swapping/UsualTimes", { defaultValue: () => () => undefined })

/** The milliseconds that the state of a swap may last; undefined where they cannot be told. */
const mostDuration = (status: SwapStatus, usual: number): number | undefined => {
  const ends = isSettled(status) && !hasPendingEgress(status)
  if (status.state === "waiting" || ends) return undefined
  const estimate = Math.max(leastDuration, status.estimatedDuration ?? usualDuration, usual)
  if (status.state === "swapping") return estimate + timeOfTerms(status)
  const paying = status.state === "receiving" || status.refundEgress !== undefined
  const chain = chainOf(paying ? status.sourceAsset : status.destinationAsset)
  return estimate + lateBlocks * chainFacts(chain).blockMillis
}

/**
 * The time until which the present state of a swap may last: the longest of the upstream's estimate for all of the swap
 * and of what swaps of the pair take (`usual`, in milliseconds), and besides the time that its own terms take while it is
 * swapped, or that blocks of the chain can be late while a payment is under way. None before a deposit, which need not
 * come, and none after the end.
 */
export const stallsAt = (
  status: SwapStatus,
  since: EpochMillis,
  pace: LookupPace,
  usual = 0,
): Option.Option<EpochMillis> =>
  Option.map(
    Option.fromUndefinedOr(mostDuration(status, usual)),
    (most) => EpochMillis.make(since + Math.max(leastRealDuration, Math.round(most / pace.timeScale))),
  )
