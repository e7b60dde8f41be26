import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Bps } from "#domain/money/Bps.ts"
import { boostFeeOf, lend, planBoost, repay } from "#sandbox/engine/boost.ts"
import type { BoostPool } from "#sandbox/engine/State.ts"
import { present } from "./support.ts"

const pools = (...available: ReadonlyArray<bigint>): ReadonlyArray<BoostPool> =>
  [5, 10, 30].map((tier, index) => ({ tierBps: Bps.make(tier), available: available[index] ?? 0n, lent: 0n }))

const total = (all: ReadonlyArray<BoostPool>): bigint =>
  all.reduce((sum, { available, lent }) => sum + available + lent, 0n)

const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 10n ** 12n }))

describe("a boost", () => {
  it("takes the cheapest pools first and costs their weighted average, rounded down", () => {
    const plan = present(planBoost(pools(200n, 500n, 1_000n), 400n, 30))
    assert.strictEqual(plan.feeBps, 7) // (200 × 5 + 200 × 10) / 400 = 7.5
    assert.strictEqual(plan.maximumFeeBps, 30)
    assert.deepStrictEqual(plan.shares.map(({ lent }) => lent), [200n, 200n])
  })

  it("costs five bps at least", () => {
    const cheap: ReadonlyArray<BoostPool> = [{ tierBps: Bps.make(1), available: 10_000n, lent: 0n }]
    const plan = present(planBoost(cheap, 10_000n, 30))
    assert.strictEqual(plan.feeBps, 5)
    assert.strictEqual(boostFeeOf(plan), 5n)
  })

  it("is not to be had beyond the pools, or beyond the tiers that are accepted", () => {
    assert.isUndefined(planBoost(pools(200n, 500n, 1_000n), 1_701n, 30))
    assert.isUndefined(planBoost(pools(200n, 500n, 1_000n), 201n, 5))
    assert.isUndefined(planBoost(pools(200n, 500n, 1_000n), 1n, 4))
    assert.isDefined(planBoost(pools(200n, 500n, 1_000n), 1_700n, 30))
  })

  it.effect.prop(
    "takes what it lends out of the pools and brings all of it back with the fee, to the unit",
    [Amount, Amount, Amount, Amount],
    ([first, second, third, amount]) =>
      Effect.sync(() => {
        const all = pools(first, second, third)
        const before = total(all)
        const plan = planBoost(all, amount, 30)
        if (plan === undefined) return assert.isTrue(amount > before)
        const loans = lend(plan)
        assert.strictEqual(total(all), before)
        assert.strictEqual(all.reduce((sum, { lent }) => sum + lent, 0n), amount)
        repay(loans)
        assert.strictEqual(total(all), before + boostFeeOf(plan))
        assert.isTrue(all.every(({ lent, available }) => lent === 0n && available >= 0n))
      }),
    { arbitrary: { seed: "boost" } },
  )
})
