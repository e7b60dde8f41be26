import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Option, Schema } from "effect"
import { formatDecimal, parseDecimal, withoutExponent } from "#domain/money/Decimal.ts"

const Digits = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: -(10n ** 60n), maximum: 10n ** 60n }))
const Scale = Schema.Int.check(Schema.isBetween({ minimum: -40, maximum: 60 }))

/** No exponent, no sign but a leading minus, no zero at either end that could be left out. */
const canonical = /^(?:0|-?(?:0|[1-9][0-9]*)\.[0-9]*[1-9]|-?[1-9][0-9]*)$/

describe("formatDecimal", () => {
  it.effect.prop(
    "prints every digit, without an exponent or a zero too many",
    [Digits, Scale],
    ([digits, scale]) =>
      Effect.sync(() => {
        const printed = formatDecimal(BigDecimal.make(digits, scale))
        assert.match(printed, canonical)
        assert.isTrue(BigDecimal.equals(BigDecimal.fromStringUnsafe(printed), BigDecimal.make(digits, scale)))
      }),
  )

  it.effect.prop("is undone by parseDecimal", [Digits, Scale], ([digits, scale]) =>
    Effect.sync(() => {
      const written = BigDecimal.make(digits < 0n ? -digits : digits, scale)
      const read = Option.getOrThrow(parseDecimal(formatDecimal(written)))
      assert.isTrue(BigDecimal.equals(read, written))
    }))

  it.effect.each(
    [
      [0n, 0, "0"],
      [0n, 18, "0"],
      [1n, -21, "1000000000000000000000"],
      [1n, 18, "0.000000000000000001"],
      [8439758519449979758n, 18, "8.439758519449979758"],
      [150n, 2, "1.5"],
      [100n, 2, "1"],
      [-5n, 1, "-0.5"],
    ] as const,
  )(
    "prints %s with scale %s as %s",
    ([digits, scale, text]) =>
      Effect.sync(() => assert.strictEqual(formatDecimal(BigDecimal.make(digits, scale)), text)),
  )
})

describe("parseDecimal", () => {
  it.effect.each([
    "0",
    "1",
    "007",
    "0.5",
    "1.50",
    "340282366920938463463374607431768211455.000000000000000001",
  ])(
    "reads %s",
    (text) =>
      Effect.sync(() =>
        assert.isTrue(
          BigDecimal.equals(Option.getOrThrow(parseDecimal(text)), BigDecimal.fromStringUnsafe(text)),
        )
      ),
  )

  it.effect.each([
    "",
    " ",
    " 1",
    "1 ",
    "1\n",
    "+1",
    "-1",
    "−1",
    ".5",
    "1.",
    ".",
    "1..2",
    "1.2.3",
    "1,5",
    "1_000",
    "1 000",
    "1e3",
    "1E3",
    "0x10",
    "1n",
    "NaN",
    "Infinity",
    "null",
    "１",
    "١",
  ])("refuses '%s'", (text) => Effect.sync(() => assert.isTrue(Option.isNone(parseDecimal(text)))))
})

const Exponent = Schema.Int.check(Schema.isBetween({ minimum: -200, maximum: 200 }))

describe("withoutExponent", () => {
  it.effect.prop("moves the point, and the value stays", [
    Digits,
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 })),
    Exponent,
  ], ([digits, places, exponent]) =>
    Effect.sync(() => {
      const mantissa = formatDecimal(BigDecimal.make(digits, places))
      const written = withoutExponent(`${mantissa}e${exponent}`)
      assert.match(written.replace(/^-0$/, "0"), canonical)
      assert.isTrue(
        BigDecimal.equals(BigDecimal.fromStringUnsafe(written), BigDecimal.make(digits, places - exponent)),
      )
    }))

  it.each([
    ["1.5e-05", "0.000015"],
    ["1.0E-8", "0.00000001"],
    ["2.50e1", "25"],
    ["1E+18", "1000000000000000000"],
    ["0.05e3", "50"],
    ["0e5", "0"],
    ["-1e-2", "-0.01"],
    ["123.4500", "123.4500"],
    ["10", "10"],
    ["1e201", "1e201"],
    ["1e999999999", "1e999999999"],
    ["1e-99999999999999999999", "1e-99999999999999999999"],
  ])("writes %s as %s", (number, text) => assert.strictEqual(withoutExponent(number), text))
})
