import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps, noBps, shareOf } from "#domain/money/Bps.ts"

describe("shareOf", () => {
  it.effect.prop(
    "is the largest whole number not above the exact share",
    [NativeAmount, Bps],
    ([amount, bps]) =>
      Effect.sync(() => {
        const share = shareOf(amount, bps)
        assert.isTrue(share * 10_000n <= amount * BigInt(bps))
        assert.isTrue((share + 1n) * 10_000n > amount * BigInt(bps))
      }),
  )

  it.effect.prop(
    "of 0 bps is nothing and of 10000 bps is all",
    [NativeAmount],
    ([amount]) =>
      Effect.sync(() => {
        assert.strictEqual(shareOf(amount, noBps), 0n)
        assert.strictEqual(shareOf(amount, 10_000), amount)
      }),
  )

  it.effect("rounds down", () =>
    Effect.sync(() => {
      assert.strictEqual(shareOf(9_999n, 1), 0n)
      assert.strictEqual(shareOf(10_000n, 1), 1n)
      assert.strictEqual(shareOf(19_999n, 1), 1n)
    }))
})

describe("Bps", () => {
  it.effect("are whole numbers from 0 to 10000", () =>
    Effect.sync(() => {
      for (const bps of [0, 1, 10_000]) assert.isTrue(Option.isSome(Bps.makeOption(bps)))
      for (const bps of [-1, 10_001, 0.5, Number.NaN, Infinity]) {
        assert.isTrue(Option.isNone(Bps.makeOption(bps)))
      }
    }))
})
