import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Option, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId, factsOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { anyPrice, fromX128, minimumPrice, mostFor, outputAt, Price, toX128 } from "#domain/money/Price.ts"

const price = (text: string): Price => Price.make(BigDecimal.fromStringUnsafe(text))

const Digits = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 10n ** 50n }))
const Scale = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))

describe("Price", () => {
  it("encodes 32.5 ETH for one BTC exactly", () => {
    const x128 = toX128(price("32.5"), "btc.btc", "eth.eth")
    assert.strictEqual(x128, 325n * 10n ** 9n * 2n ** 128n)
    assert.isTrue(BigDecimal.equals(fromX128(x128, "btc.btc", "eth.eth"), price("32.5")))
  })

  it("rounds half up at the last bit", () => {
    assert.strictEqual(toX128(price("0.1"), "usdc.eth", "usdt.eth"), (2n ** 128n * 2n + 10n) / 20n)
  })

  it("says what an amount gives at least, in native units", () => {
    const bitcoin = NativeAmount.make(150_000_000n)
    assert.strictEqual(outputAt(price("32.5"), bitcoin, "btc.btc", "eth.eth"), 48_750_000_000_000_000_000n)
    assert.strictEqual(
      outputAt(price("0.03"), NativeAmount.make(10n ** 18n), "eth.eth", "btc.btc"),
      3_000_000n,
    )
    assert.strictEqual(outputAt(price("0.5"), NativeAmount.make(1n), "usdc.eth", "usdt.eth"), 1n, "half up")
    assert.strictEqual(outputAt(anyPrice, bitcoin, "btc.btc", "eth.eth"), 0n)
  })

  it("keeps 'any price' as zero both ways", () => {
    assert.strictEqual(toX128(anyPrice, "btc.btc", "eth.eth"), 0n)
    assert.isTrue(BigDecimal.isZero(fromX128(0n, "btc.btc", "eth.eth")))
  })

  it.effect.prop(
    "decodes every Q128 number to a decimal that encodes to it again",
    [Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 200n })), AssetId, AssetId],
    ([x128, source, destination]) =>
      Effect.sync(() =>
        assert.strictEqual(toX128(fromX128(x128, source, destination), source, destination), x128)
      ),
  )

  it.effect.prop(
    "gives back a price of up to 12 digits as it was written",
    [Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10 ** 12 })), AssetId, AssetId],
    ([digits, source, destination]) =>
      Effect.sync(() => {
        const written = Price.make(BigDecimal.make(BigInt(digits), 6))
        const read = fromX128(toX128(written, source, destination), source, destination)
        assert.isTrue(BigDecimal.equals(read, written))
      }),
  )

  it.effect.prop(
    "is the nearest Q128 number to the exact price, the upper one in the middle",
    [Digits, Scale, AssetId, AssetId],
    ([digits, scale, source, destination]) =>
      Effect.sync(() => {
        const shift = factsOf(destination).decimals - factsOf(source).decimals - scale
        const numerator = digits * 2n ** 128n * 10n ** BigInt(Math.max(0, shift))
        const denominator = 10n ** BigInt(Math.max(0, -shift))
        const x128 = toX128(Price.make(BigDecimal.make(digits, scale)), source, destination)
        assert.isTrue(2n * denominator * x128 <= 2n * numerator + denominator)
        assert.isTrue(2n * denominator * x128 > 2n * numerator - denominator)
      }),
  )

  it.effect("is never below zero", () =>
    Effect.sync(() => assert.isTrue(Option.isNone(Price.makeOption(BigDecimal.fromStringUnsafe("-0.1"))))))
})

describe("minimumPrice", () => {
  it.effect.prop(
    "is the exact part of the price that the tolerance leaves",
    [Digits, Scale, Bps],
    ([digits, scale, bps]) =>
      Effect.sync(() => {
        const estimated = Price.make(BigDecimal.make(digits, scale))
        assert.isTrue(BigDecimal.equals(
          BigDecimal.multiply(minimumPrice(estimated, bps), BigDecimal.fromBigInt(10_000n)),
          BigDecimal.multiply(estimated, BigDecimal.fromBigInt(10_000n - BigInt(bps))),
        ))
      }),
  )

  it.effect.each([[0, "32.5"], [1, "32.49675"], [100, "32.175"], [10_000, "0"]] as const)(
    "of 32.5 with a tolerance of %s bps is %s",
    ([bps, text]) =>
      Effect.sync(() => assert.strictEqual(formatDecimal(minimumPrice(price("32.5"), Bps.make(bps))), text)),
  )
})

describe("mostFor", () => {
  it.effect.prop(
    "is the most for which the price limit asks for no more than the output",
    [Digits, Scale, AssetId, AssetId, NativeAmount],
    ([digits, scale, source, destination, output]) =>
      Effect.sync(() => {
        const limit = Price.make(BigDecimal.make(digits, scale))
        const most = mostFor(output, limit, source, destination)
        if (digits === 0n) return assert.isUndefined(most)
        // Asked for in fractions of a unit: the limit times the amount, exactly.
        const shift = factsOf(destination).decimals - factsOf(source).decimals - scale
        const [up, down] = [10n ** BigInt(Math.max(0, shift)), 10n ** BigInt(Math.max(0, -shift))]
        const asks = (amount: bigint) => amount * digits * up
        assert.isTrue(asks(most ?? -1n) <= output * down)
        assert.isTrue(asks((most ?? -1n) + 1n) > output * down)
      }),
  )
})
