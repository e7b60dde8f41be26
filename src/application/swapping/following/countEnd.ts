import { Effect, Metric, Option } from "effect"
import { commissionsOf } from "#domain/money/Commission.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { endOf } from "./Progress.ts"

/**
 * Counts the end of a swap that was just recorded, in the metrics of the process that recorded it. A failure that turns
 * into a refund, or is taken back, has been counted by then: counters only rise. The database has the exact figures.
 */
export const countEnd = Effect.fnUntraced(
  function* (provider: ProviderName, known: Option.Option<SwapStatus>, found: SwapStatus) {
    const outcome = endOf(found)
    if (outcome === undefined || Option.exists(known, (known) => endOf(known) === outcome)) return
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
