import { assert, it } from "@effect/vitest"
import { Effect, Metric, Option } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { countEnd } from "#application/swapping/following/Progress.ts"
import { statusIn } from "#test/support/swap.ts"

const provider = ProviderName.make("counted")
const most = 2n ** 128n - 1n

const refundEgress = { amount: NativeAmount.make(1n), witnessedAt: EpochMillis.make(1) }
const completed = statusIn("completed", {
  swapId: "1",
  sourceAsset: "flip.eth",
  deposit: { amount: NativeAmount.make(most) },
  fees: [
    { type: "broker", asset: "usdt.sol", amount: NativeAmount.make(most) },
    { type: "network", asset: "usdt.sol", amount: NativeAmount.make(5n) },
  ],
})
const { swapEgress: _, ...unpaid } = completed

const figures = Effect.gen(function* () {
  const ended = (outcome: string) =>
    Effect.map(Metric.value(metrics.swapsEnded({ provider, outcome })), (at) => at.count)
  const { count: volume } = yield* Metric.value(metrics.volume({ asset: "flip.eth" }))
  const { count: commission } = yield* Metric.value(metrics.commission({ asset: "usdt.sol" }))
  return {
    completed: yield* ended("completed"),
    refunded: yield* ended("refunded"),
    failed: yield* ended("failed"),
    volume,
    commission,
  }
})

const count = (found: SwapStatus, known?: SwapStatus) =>
  countEnd(provider, Option.fromUndefinedOr(known), found)

it.effect("counts each end once, to the last unit of volume and commission", () =>
  Effect.gen(function* () {
    const nothing = { completed: 0, refunded: 0, failed: 0, volume: 0n, commission: 0n }
    yield* count(statusIn("sending"), statusIn("swapping"))
    assert.deepStrictEqual(yield* figures, nothing)
    yield* count(completed, statusIn("sending", { swapId: "1" }))
    const one = { ...nothing, completed: 1, volume: most, commission: most }
    assert.deepStrictEqual(yield* figures, one)
    // The same end again, with a confirmation more.
    yield* count(completed, completed)
    assert.deepStrictEqual(yield* figures, one)
    // A further deposit to the channel.
    yield* count({ ...completed, swapId: "2" })
    assert.deepStrictEqual(yield* figures, { ...one, completed: 2, volume: 2n * most, commission: 2n * most })
    yield* count({ ...unpaid, refundEgress })
    yield* count({ ...unpaid, state: "failed" }, statusIn("swapping", { swapId: "1" }))
    yield* count({ ...unpaid, state: "failed", refundEgress }, { ...unpaid, state: "failed" })
    assert.deepStrictEqual(yield* figures, {
      completed: 2,
      refunded: 2,
      failed: 1,
      volume: 2n * most,
      commission: 2n * most,
    })
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())))
