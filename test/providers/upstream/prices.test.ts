import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Option, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { minimumPrice, Price } from "#domain/money/Price.ts"
import { Bps } from "#domain/money/Bps.ts"
import {
  anySlippageBps,
  estimatedPrice,
  minimumOutput,
  slippageTolerance,
} from "#providers/upstream/prices.ts"

const Positive = Schema.BigInt
  .check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 128n - 1n }))
  .pipe(Schema.brand("NativeAmount"))

const Pair = Schema.Struct({ sourceAsset: AssetId, destinationAsset: AssetId })

const priceOf = (text: string): Price => Price.make(BigDecimal.fromStringUnsafe(text))

describe("The estimated price", () => {
  const examples: ReadonlyArray<
    readonly [pair: typeof Pair.Type, amountIn: bigint, out: bigint, price: string]
  > = [
    [{ sourceAsset: "btc.btc", destinationAsset: "eth.eth" }, 10_000_000n, 3n * 10n ** 18n, "30"],
    [
      { sourceAsset: "eth.eth", destinationAsset: "btc.btc" },
      3n * 10n ** 18n,
      10_000_000n,
      "0.0333333333333333333333333333",
    ],
    [
      { sourceAsset: "usdt.eth", destinationAsset: "usdt.bsc" },
      1_000_000n,
      999_000_000_000_000_000n,
      "0.999",
    ],
  ]

  it.each(examples)("of %o, %d for %d is %s", (pair, amountIn, out, price) => {
    const text = formatDecimal(estimatedPrice(pair, amountIn, out))
    assert.isTrue(text.startsWith(price.slice(0, 26)), text)
  })

  it.effect.prop(
    "is a price limit that the quote itself just meets",
    [Pair, Positive, Positive],
    ([pair, amountIn, amountOut]) =>
      Effect.sync(() => {
        const price = estimatedPrice(pair, amountIn, amountOut)
        assert.strictEqual(minimumOutput(pair, NativeAmount.make(amountIn), price), BigInt(amountOut))
      }),
  )
})

describe("The least output for a price limit", () => {
  it("is rounded up: one unit less would be below the limit", () => {
    const pair = { sourceAsset: "btc.btc", destinationAsset: "usdt.eth" } as const
    // 0.00000003 BTC at 33.4 USDT each are 0.000001002 USDT.
    assert.strictEqual(minimumOutput(pair, NativeAmount.make(3n), priceOf("33.4")), 2n)
    assert.strictEqual(
      minimumOutput(pair, NativeAmount.make(100_000_000n), priceOf("90000.5")),
      90_000_500_000n,
    )
    assert.strictEqual(minimumOutput(pair, NativeAmount.make(100_000_000n), priceOf("0")), 0n)
  })

  it("is exact where the destination has more decimals", () => {
    const pair = { sourceAsset: "usdt.eth", destinationAsset: "usdt.bsc" } as const
    assert.strictEqual(minimumOutput(pair, NativeAmount.make(7n), priceOf("0.99")), 6_930_000_000_000n)
  })
})

describe("The slippage tolerance", () => {
  it.effect.prop(
    "never lets the output fall below the least, and one more basis point would",
    [Positive, Positive],
    ([one, other]) =>
      Effect.sync(() => {
        const [minimum, quoted] = one < other ? [one, other] : [other, one]
        const tolerance = BigInt(Option.getOrThrow(slippageTolerance(minimum, quoted)))
        const all = BigInt(anySlippageBps)
        assert.isTrue(quoted * (all - tolerance) / all >= minimum)
        assert.isTrue(quoted * (all - tolerance - 1n) < minimum * all)
      }),
  )

  it("is everything where there is no least, and none where even the quote is too little", () => {
    assert.deepStrictEqual(slippageTolerance(0n, 5n), Option.some(10_000))
    assert.deepStrictEqual(slippageTolerance(5n, 5n), Option.some(0))
    assert.deepStrictEqual(slippageTolerance(6n, 5n), Option.none())
    assert.deepStrictEqual(slippageTolerance(0n, 0n), Option.none())
  })

  it.effect.prop(
    "that a client chose comes back from the price limit that it makes of it",
    [Pair, Positive, Positive, Bps],
    ([pair, amountIn, amountOut, chosen]) =>
      Effect.sync(() => {
        const limit = minimumPrice(estimatedPrice(pair, amountIn, amountOut), chosen)
        const minimum = minimumOutput(pair, NativeAmount.make(amountIn), limit)
        const tolerance = Option.getOrThrow(slippageTolerance(minimum, amountOut))
        assert.isTrue(tolerance <= chosen)
        if (amountOut > 20_000n) assert.isTrue(tolerance >= chosen - 1)
      }),
  )
})
