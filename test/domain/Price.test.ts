import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Schema } from "effect"
import { AssetId } from "../../src/domain/Asset.ts"
import { anyPrice, fromX128, Price, toX128 } from "../../src/domain/Price.ts"

const price = (text: string): Price => Price.make(BigDecimal.fromStringUnsafe(text))

describe("Price", () => {
  it("encodes 32.5 ETH for one BTC exactly", () => {
    const x128 = toX128(price("32.5"), "btc.btc", "eth.eth")
    assert.strictEqual(x128, 325n * 10n ** 9n * 2n ** 128n)
    assert.isTrue(BigDecimal.equals(fromX128(x128, "btc.btc", "eth.eth"), price("32.5")))
  })

  it("rounds half up at the last bit", () => {
    assert.strictEqual(
      toX128(price("0.1"), "usdc.eth", "usdt.eth"),
      (2n ** 128n * 2n + 10n) / 20n,
    )
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
})
