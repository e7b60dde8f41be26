import { assert, describe, it } from "@effect/vitest"
import {
  BigDecimal,
  Cause,
  Data,
  DateTime,
  Duration,
  Exit,
  HashMap,
  Option,
  Redacted,
  Result,
  Schema,
} from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { DepositBelowMinimum, ProviderError, TimedOut, Unreachable } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"

const timedOut = (reached: boolean, detail = "no answer") => new TimedOut({ detail, reached })

const unreachable = (retryAfterSeconds?: number) =>
  new Unreachable({
    detail: "refused",
    reached: false,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })

const failure = (reason: ProviderError["reason"]) =>
  new ProviderError({ provider: ProviderName.make("chainflip"), operation: "quote", reason })

const belowMinimum = (minimum: bigint) =>
  new DepositBelowMinimum({ asset: "btc.btc", minimum: NativeAmount.make(minimum) })

class Offer extends Data.Class<{ readonly bps: number }> {}

class Pair
  extends Schema.Class<Pair>("Pair")({ one: Schema.BigInt, other: Schema.optionalKey(Schema.Finite) }) {}

class Refused extends Data.TaggedError("Refused")<{ readonly faults: ReadonlyArray<string> }> {}

class Other extends Error {
  override readonly name = "Error"
}

const decimal = (text: string) => BigDecimal.fromStringUnsafe(text)

/** Makes one value twice, and another that differs from it in one place only. */
type Case = readonly [name: string, one: () => unknown, other: () => unknown]

const errors: ReadonlyArray<readonly [name: string, one: () => Error, other: () => Error]> = [
  ["a flag", () => timedOut(true), () => timedOut(false)],
  ["a text", () => timedOut(true), () => timedOut(true, "too late")],
  ["a number", () => unreachable(1), () => unreachable(2)],
  ["a member that only one has", () => unreachable(1), () => unreachable()],
  ["a bigint", () => belowMinimum(3n), () => belowMinimum(5n)],
  ["a reason", () => failure(timedOut(true)), () => failure(timedOut(false))],
  ["a list", () => new Refused({ faults: ["one"] }), () => new Refused({ faults: ["one", "two"] })],
  ["the class", () => new Error("fault"), () => new Other("fault")],
  ["the message", () => new Error("fault"), () => new Error("another")],
  [
    "one of several errors",
    () => new AggregateError([timedOut(true)]),
    () => new AggregateError([timedOut(false)]),
  ],
]

const places: ReadonlyArray<readonly [name: string, around: (error: Error) => unknown]> = [
  ["alone", (error) => error],
  ["in an array", (error) => [1, error]],
  ["in a record", (error) => ({ error })],
  ["in a Map", (error) => new Map([["key", error]])],
  ["in a Set", (error) => new Set([error])],
  ["in an Option", (error) => Option.some(error)],
  ["in a Result", (error) => Result.fail(error)],
  ["in a Cause", (error) => Cause.fail(error)],
  ["as a defect in a Cause", (error) => Cause.die(error)],
  ["in an Exit", (error) => Exit.fail(error)],
  ["in an error", (error) => new AggregateError([error])],
]

const values: ReadonlyArray<Case> = [
  ["bigints", () => 1n, () => 2n],
  ["zeros", () => 0, () => -0],
  ["decimals", () => decimal("1.20"), () => decimal("1.21")],
  ["durations", () => Duration.seconds(1), () => Duration.seconds(2)],
  ["dates", () => new Date(1), () => new Date(2)],
  ["times", () => DateTime.makeUnsafe(1), () => DateTime.makeUnsafe(2)],
  ["bytes", () => Uint8Array.of(1, 2), () => Uint8Array.of(1, 3)],
  ["options", () => Option.some(undefined), () => Option.none()],
  ["options' values", () => Option.some(1n), () => Option.some(2n)],
  ["results", () => Result.succeed(1), () => Result.fail(1)],
  ["exits", () => Exit.succeed(1), () => Exit.succeed(2)],
  ["instances of Data", () => new Offer({ bps: 1 }), () => new Offer({ bps: 2 })],
  ["instances of a schema", () => new Pair({ one: 1n }), () => new Pair({ one: 2n })],
  ["optional members", () => new Pair({ one: 1n }), () => new Pair({ one: 1n, other: 1 })],
  ["an absent member and one without a value", () => ({}), () => ({ member: undefined })],
  ["secrets", () => Redacted.make("one"), () => Redacted.make("other")],
  [
    "names of secrets",
    () => Redacted.make("one", { label: "one" }),
    () => Redacted.make("one", { label: "other" }),
  ],
  ["Maps", () => new Map([["key", 1]]), () => new Map([["key", 2]])],
  ["HashMaps", () => HashMap.make(["key", 1]), () => HashMap.make(["key", 2])],
  ["addresses", () => new URL("http://host/one"), () => new URL("http://host/other")],
  ["queries", () => new URLSearchParams("name=one"), () => new URLSearchParams("name=other")],
  ["headers", () => new Headers({ name: "one" }), () => new Headers({ name: "other" })],
  ["symbols' members", () => ({ [Symbol.for("name")]: 1 }), () => ({ [Symbol.for("name")]: 2 })],
]

const tellsApart = (one: () => unknown, other: () => unknown): void => {
  assert.deepStrictEqual(one(), one())
  assert.deepEqual(one(), one())
  assert.notDeepEqual(one(), other())
  assert.notDeepEqual(other(), one())
  assert.throws(() => assert.deepStrictEqual(one(), other()))
}

describe("assert.deepStrictEqual", () => {
  describe.each(places)("of errors %s", (_name, around) => {
    it.each(errors)("sees another %s", (_name, one, other) => {
      tellsApart(() => around(one()), () => around(other()))
    })
  })

  it.each(values)("tells %s apart", (_name, one, other) => {
    tellsApart(one, other)
    tellsApart(() => [{ member: one() }], () => [{ member: other() }])
  })

  it("does not look at where an error was made, nor at its cause", () => {
    const here = new Error("fault", { cause: "one" })
    const there = () => new Error("fault", { cause: "another" })
    assert.notStrictEqual(here.stack, there().stack)
    assert.deepStrictEqual(here, there())
  })

  it("looks as closely into lists of members in any order", () => {
    assert.sameDeepMembers([timedOut(true), timedOut(false)], [timedOut(false), timedOut(true)])
    assert.throws(() => assert.sameDeepMembers([timedOut(true)], [timedOut(false)]))
    assert.throws(() => assert.deepInclude([timedOut(true)], timedOut(false)))
    assert.throws(() => assert.deepNestedInclude({ error: timedOut(true) }, { error: timedOut(false) }))
  })
})
