import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Option, Schema } from "effect"
import { fromHuman, maximumNativeAmount, NativeAmount, toHuman } from "#domain/money/Amount.ts"
import { AssetId, assetIds, factsOf } from "#domain/chains/Asset.ts"
import { formatDecimal, parseDecimal } from "#domain/money/Decimal.ts"

const decimal = (text: string): BigDecimal.BigDecimal => Option.getOrThrow(parseDecimal(text))

describe("native and human amounts", () => {
  for (const asset of assetIds()) {
    const { decimals } = factsOf(asset)

    it.effect.prop(
      `of ${asset} keep every unit through printing and parsing`,
      [NativeAmount],
      ([native]) =>
        Effect.sync(() =>
          assert.strictEqual(fromHuman(asset, decimal(formatDecimal(toHuman(asset, native)))), native)
        ),
    )

    it.effect(`of ${asset} have exactly ${decimals} decimals`, () =>
      Effect.sync(() => {
        assert.strictEqual(fromHuman(asset, decimal("1")), NativeAmount.make(10n ** BigInt(decimals)))
        assert.strictEqual(fromHuman(asset, decimal(`0.${"0".repeat(decimals - 1)}1`)), NativeAmount.make(1n))
        assert.strictEqual(fromHuman(asset, decimal(`0.${"0".repeat(decimals)}1`)), "too-many-decimals")
      }))

    it.effect(`of ${asset} end at 2^128 − 1 units`, () =>
      Effect.sync(() => {
        const beyond = BigDecimal.make(maximumNativeAmount + 1n, decimals)
        assert.strictEqual(
          fromHuman(asset, toHuman(asset, NativeAmount.make(maximumNativeAmount))),
          NativeAmount.make(maximumNativeAmount),
        )
        assert.strictEqual(fromHuman(asset, beyond), "too-large")
        assert.strictEqual(fromHuman(asset, decimal("9".repeat(8_000))), "too-large")
      }))
  }

  it.effect.prop(
    "refuse a digit more than the asset has",
    [AssetId, NativeAmount, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))],
    ([asset, native, digit]) =>
      Effect.sync(() => {
        const { decimals } = factsOf(asset)
        const human = BigDecimal.make(native * 10n + BigInt(digit), decimals + 1)
        assert.strictEqual(fromHuman(asset, decimal(formatDecimal(human))), "too-many-decimals")
      }),
  )

  it.effect("refuse digits that the asset does not have even where they are zeros", () =>
    Effect.sync(() => {
      assert.strictEqual(fromHuman("btc.btc", decimal("1.50000000")), NativeAmount.make(150_000_000n))
      assert.strictEqual(fromHuman("btc.btc", decimal("1.500000000")), "too-many-decimals")
    }))

  it.effect("are never below zero or above 2^128 − 1", () =>
    Effect.sync(() => {
      assert.isTrue(Option.isNone(NativeAmount.makeOption(-1n)))
      assert.isTrue(Option.isNone(NativeAmount.makeOption(2n ** 128n)))
    }))
})
