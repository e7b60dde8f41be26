import { Effect, Metric, Option } from "effect"
import type { SwapOutcome } from "../domain/Business.ts"
import { commissionsOf } from "../domain/Commission.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { SwapStatus } from "../domain/Swap.ts"
import { metrics } from "../ops/Metrics.ts"
import { hasRefunded, isRefund } from "./Progress.ts"

/** How a swap ended; none while it has not. */
const outcomeOf = (status: SwapStatus): SwapOutcome | undefined => {
  if (status.state === "completed") return isRefund(status) ? "refunded" : "completed"
  if (status.state === "failed") return hasRefunded(status) ? "refunded" : "failed"
  return undefined
}

/**
 * Counts the end of a swap that was just recorded, in the metrics of the process that recorded it. A failure that turns
 * into a refund, or is taken back, has been counted by then: counters only rise. The database has the exact figures.
 */
export const countEnd = Effect.fnUntraced(
  function* (provider: ProviderName, known: Option.Option<SwapStatus>, found: SwapStatus) {
    const outcome = outcomeOf(found)
    if (outcome === undefined || Option.exists(known, (known) => outcomeOf(known) === outcome)) return
    yield* Metric.update(metrics.swapsEnded({ provider, outcome }), 1)
    if (outcome !== "completed") return
    if (found.deposit !== undefined) {
      yield* Metric.update(metrics.volume({ asset: found.sourceAsset }), found.deposit.amount)
    }
    yield* Effect.forEach(
      commissionsOf(found).filter(({ amount }) => amount > 0n),
      ({ amount, asset }) => Metric.update(metrics.commission({ asset }), amount),
      { discard: true },
    )
  },
)
