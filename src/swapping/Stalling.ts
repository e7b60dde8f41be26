import { Option } from "effect"
import { stateChainBlockMillis } from "../domain/Chain.ts"
import { hasPendingEgress, isSettled, type SwapStatus } from "../domain/Swap.ts"
import { EpochMillis } from "../domain/Time.ts"
import type { LookupPace } from "./LookupPolicy.ts"

/** Where the upstream gives no estimate. */
const usualDuration = 3_600_000

/** Estimates of seconds are missed by as much for no reason worth telling of. */
const leastDuration = 600_000

/** Simulated time can run so fast that nothing would ever be in time. */
const leastRealDuration = 5_000

/** What is swapped in parts takes as long as lies between them, and what waits for its price until it gives up. */
const timeOfTerms = ({ dca, fillOrKill }: SwapStatus): number => {
  const between = dca === undefined ? 0 : (dca.numberOfChunks - 1) * dca.chunkIntervalBlocks
  return (between + (fillOrKill?.retryDurationBlocks ?? 0)) * stateChainBlockMillis
}

/** Milliseconds that the state of a swap may last; nothing where that is for nobody to say. */
const mostDuration = (status: SwapStatus): number | undefined => {
  const ends = isSettled(status) && !hasPendingEgress(status)
  if (status.state === "waiting" || ends) return undefined
  const estimate = Math.max(leastDuration, status.estimatedDuration ?? usualDuration)
  return status.state === "swapping" ? estimate + timeOfTerms(status) : estimate
}

/**
 * Until when the state that a swap came into may last: the upstream's estimate for all of the swap, and the time
 * that its own terms take while it is swapped. A deposit that never comes is nobody's fault, and an end lasts.
 */
export const stallsAt = (
  status: SwapStatus,
  since: EpochMillis,
  pace: LookupPace,
): Option.Option<EpochMillis> =>
  Option.map(
    Option.fromUndefinedOr(mostDuration(status)),
    (most) => EpochMillis.make(since + Math.max(leastRealDuration, Math.round(most / pace.timeScale))),
  )
