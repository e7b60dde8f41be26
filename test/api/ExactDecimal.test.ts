import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result, Schema } from "effect"
import { ExactDecimal } from "#api/shape.ts"

const Body = Schema.toCodecJson(Schema.Struct({ amount: ExactDecimal }))

const write = (amount: BigDecimal.BigDecimal): string => JSON.stringify(Schema.encodeSync(Body)({ amount }))

const written: ReadonlyArray<readonly [string, string]> = [
  ["8.439758519449979758", "8.439758519449979758"],
  ["340282366920938463463374607431768211455", "340282366920938463463374607431768211455"],
  ["0.000000000000000001", "0.000000000000000001"],
  ["1e-18", "0.000000000000000001"],
  ["1e21", "1000000000000000000000"],
  ["1.50", "1.5"],
  ["10.00", "10"],
  ["100", "100"],
  ["0", "0"],
  ["0.000", "0"],
  ["-1.5", "-1.5"],
]

describe("ExactDecimal", () => {
  it.each(written)("writes %s as %s", (decimal, text) => {
    assert.strictEqual(write(BigDecimal.fromStringUnsafe(decimal)), `{"amount":${text}}`)
  })

  const Digits = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 10n ** 60n }))
  const Scale = Schema.Int.check(Schema.isBetween({ minimum: -20, maximum: 60 }))

  it.prop("writes a plain number that is the decimal itself", [Digits, Scale], ([digits, scale]) => {
    const decimal = BigDecimal.make(digits, scale)
    const [, text = ""] = /^\{"amount":((?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?)\}$/.exec(write(decimal)) ?? []
    assert.isTrue(BigDecimal.equals(BigDecimal.fromStringUnsafe(text), decimal), text)
  })

  it("is read from a JSON number, and from nothing else", () => {
    const read = Schema.decodeUnknownResult(Body)
    const amount = Result.getOrThrow(read({ amount: 1.5 }))
    assert.isTrue(BigDecimal.equals(amount.amount, BigDecimal.fromStringUnsafe("1.5")))
    for (const other of ["1.5", null, true, {}, NaN, Infinity]) {
      assert.isTrue(Result.isFailure(read({ amount: other })), `${other}`)
    }
    assert.isTrue(Result.isFailure(read({})))
  })
})
