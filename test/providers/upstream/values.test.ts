import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Result, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Amount, Decimal, decode, Seconds, Text, WirePrice } from "#providers/upstream/values.ts"

const accepts = <A, I>(schema: Schema.Codec<A, I>, input: unknown): boolean =>
  Result.isSuccess(decode(schema, input))

describe("Numbers on an upstream's wire", () => {
  it.effect.prop(
    "an amount is the same as digits and as hex of either case",
    [NativeAmount],
    ([amount]) =>
      Effect.sync(() => {
        const hex = amount.toString(16)
        for (const written of [`${amount}`, `0x${hex}`, `0x${hex.toUpperCase()}`, `0x00${hex}`]) {
          assert.strictEqual(Result.getOrThrow(decode(Amount, written)), amount)
        }
      }),
  )

  const safe = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

  it.effect.prop(
    "an amount can be a safe integer",
    [safe],
    ([whole]) =>
      Effect.sync(() => assert.strictEqual<bigint>(Result.getOrThrow(decode(Amount, whole)), BigInt(whole))),
  )

  const noAmounts = [
    2 ** 53,
    1e21,
    0.5,
    -1,
    NaN,
    "",
    " 1",
    "1 ",
    "-1",
    "1e3",
    "0x",
    "0xg",
    "1_000",
    true,
    null,
    {},
  ]

  it.each(noAmounts)("%s is no amount", (input) => {
    assert.isFalse(accepts(Amount, input))
  })

  it("an amount fits in 128 bits", () => {
    assert.isTrue(accepts(Amount, `${2n ** 128n - 1n}`))
    assert.isFalse(accepts(Amount, `${2n ** 128n}`))
  })

  const seconds: ReadonlyArray<readonly [seconds: number | string, millis: number]> = [
    [91.5, 91_500],
    ["12", 12_000],
    ["0.26", 260],
    [0.26, 260],
    [90.225, 90_225],
    [912.6600000000001, 912_660],
    [0, 0],
  ]

  it.each(seconds)("%s seconds are %d ms", (input, millis) => {
    assert.strictEqual(Result.getOrThrow(decode(Seconds, input)), millis)
  })

  it.each([-1, "-1", "soon", "", NaN, Infinity, 1e308, 30 * 86_400 + 1])("%s is no duration", (input) => {
    assert.isFalse(accepts(Seconds, input))
  })

  it("a price keeps every digit, and a JSON number that may have lost some is refused", () => {
    const text = "33.76001751526470831438123456789012345678901"
    assert.isTrue(
      BigDecimal.equals(Result.getOrThrow(decode(WirePrice, text)), BigDecimal.fromStringUnsafe(text)),
    )
    assert.isTrue(
      BigDecimal.equals(
        Result.getOrThrow(decode(WirePrice, "1.5e-9")),
        BigDecimal.fromStringUnsafe("0.0000000015"),
      ),
    )
    assert.isTrue(accepts(WirePrice, 0))
    for (const input of [33.76, "-1", "", "1e9999", "0x1", "1.", ".5", null]) {
      assert.isFalse(accepts(WirePrice, input))
    }
  })

  it("an id can be a number that has lost no digits", () => {
    assert.strictEqual(Result.getOrThrow(decode(Text, 981234)), "981234")
    for (const input of [2 ** 53, 1.5, null]) assert.isFalse(accepts(Text, input))
  })

  it("a percentage is a number or text", () => {
    for (const input of [2.5, "2.5"]) {
      assert.isTrue(
        BigDecimal.equals(Result.getOrThrow(decode(Decimal, input)), BigDecimal.fromStringUnsafe("2.5")),
      )
    }
    assert.isFalse(accepts(Decimal, "some"))
  })

  it("no figure has an exponent beyond all prices, nor digits without end", () => {
    for (const input of [1e300, "1e999", "1e-999", "9".repeat(100_000), `0.${"9".repeat(100_000)}`]) {
      assert.isFalse(accepts(Decimal, input))
      assert.isFalse(accepts(WirePrice, input))
    }
    // JSON.parse makes it Infinity, which is no number of the wire.
    const infinite: unknown = JSON.parse("1e999")
    assert.isFalse(accepts(Amount, infinite))
    assert.isFalse(accepts(Decimal, infinite))
    assert.isFalse(accepts(Seconds, infinite))
    assert.isFalse(accepts(WirePrice, infinite))
  })
})
