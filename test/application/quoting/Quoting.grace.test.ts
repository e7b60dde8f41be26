import { assert, describe, it } from "#test/support/it.ts"
import { Array, Effect, Exit, Fiber, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { Quote } from "#domain/quotes/Quote.ts"
import { begin, reasons, settle, times } from "#test/providers/guard/support.ts"
import {
  after,
  amounts,
  answerAfter,
  noQuotes,
  patientKnobs,
  quotes,
  quotingOver,
  says,
  toldBy,
} from "./quotingOver.ts"
import { first, second, third } from "./support.ts"

describe("once a provider has answered with quotes", () => {
  it.effect("the others get 400 ms more, and are then not waited for, but their answers can be reused", function* () {
    const late = says("third", after(100 + 401)(quotes(third, 9n)))
    const { ask } = yield* quotingOver([
      says("first", after(100)(quotes(first, 5n))),
      says("second", after(100 + 399)(quotes(second, 7n))),
      late,
    ])
    const asking = yield* begin(amounts(ask()))
    yield* TestClock.adjust("499 millis")
    assert.isUndefined(asking.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(yield* Fiber.join(asking), [7n, 5n])
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(yield* amounts(ask({}, "third")), [9n])
    assert.deepStrictEqual(late.calls, { begun: 1, cancelled: 0 })
  })

  it.effect("nobody waits any longer where all have answered", function* () {
    const { ask } = yield* quotingOver([
      says("first", quotes(first, 5n)),
      says("second", after(10)(Effect.fail(reasons.UpstreamFailed))),
    ])
    assert.deepStrictEqual(yield* answerAfter(amounts(ask()), 10), Exit.succeed([NativeAmount.make(5n)]))
  })

  for (
    const [what, said] of [
      ["an answer without quotes", noQuotes],
      ["a refusal", Effect.fail(reasons.InsufficientLiquidity)],
      ["a failure", Effect.fail(reasons.UpstreamFailed)],
    ] as const
  ) {
    it.effect(`the time begins, but not with ${what}`, function* () {
      const { ask } = yield* quotingOver([
        says("first", said),
        says("second", after(2_000)(quotes(second, 7n))),
        says("third", after(2_399)(quotes(third, 9n))),
      ])
      assert.deepStrictEqual(
        yield* answerAfter(amounts(ask()), 2_399),
        Exit.succeed([NativeAmount.make(9n), NativeAmount.make(7n)]),
      )
    })
  }

  it.effect("the time begins with quotes that were reused, too", function* () {
    const { ask } = yield* quotingOver([
      says("first", quotes(first, 5n)),
      says("second", Effect.never),
    ])
    yield* answerAfter(ask({}, "first"), 0)
    assert.isUndefined(yield* answerAfter(ask(), 399))
    assert.deepStrictEqual(yield* answerAfter(amounts(ask()), 400), Exit.succeed([NativeAmount.make(5n)]))
  })

  it.effect("a provider that is always late, but well, is asked every time", function* () {
    const late = says("second", after(600)(quotes(second, 7n)))
    const { ask } = yield* quotingOver([says("first", quotes(first, 5n)), late])
    for (const amount of Array.range(1, 30)) {
      yield* answerAfter(ask({ amount: NativeAmount.make(BigInt(amount)) }), 600)
    }
    assert.deepStrictEqual(late.calls, { begun: 30, cancelled: 0 })
  })

  it.effect("a provider that hangs is known to after a while, and then nobody waits for it", function* () {
    const { ask } = yield* quotingOver([says("first", quotes(first, 5n)), says("second", Effect.never)])
    for (const amount of Array.range(1, 10)) {
      assert.isUndefined(yield* answerAfter(ask({ amount: NativeAmount.make(BigInt(amount)) }), 399))
    }
    yield* TestClock.adjust("3 seconds")
    assert.deepStrictEqual(yield* answerAfter(amounts(ask()), 0), Exit.succeed([NativeAmount.make(5n)]))
  })
})

describe("the deadline of a whole answer", () => {
  it.effect("ends it with what each provider has not said by then", function* () {
    const { ask } = yield* quotingOver(
      [says("first", Effect.never), says("second", Effect.fail(reasons.UpstreamFailed))],
      patientKnobs,
    )
    const asking = yield* begin(toldBy(ask()))
    yield* TestClock.adjust("4999 millis")
    assert.isUndefined(asking.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(yield* Fiber.join(asking), {
      failure: "UpstreamFailed",
      providers: ["first: TimedOut", "second: UpstreamFailed"],
    })
  })

  it.effect("gives the answer without quotes that there is", function* () {
    const { ask } = yield* quotingOver([says("first", Effect.never), says("second", noQuotes)], patientKnobs)
    assert.deepStrictEqual(yield* answerAfter(ask(), 5_000), Exit.succeed([]))
  })

  it.effect("holds although a provider cannot be interrupted, and so does the grace", function* () {
    const stubborn = Effect.uninterruptible(after(60_000)(quotes(first, 5n)))
    const alone = yield* quotingOver([says("first", stubborn)], patientKnobs)
    assert.isDefined(yield* answerAfter(alone.ask(), 5_000))
    const { ask } = yield* quotingOver([says("first", stubborn), says("second", quotes(second, 7n))])
    assert.deepStrictEqual(yield* answerAfter(amounts(ask()), 400), Exit.succeed([NativeAmount.make(7n)]))
    yield* TestClock.adjust("2 minutes")
  })

  it.effect("is not needed where the attempt timeout ends every call", function* () {
    const { ask } = yield* quotingOver([says("first", Effect.never), says("second", Effect.never)])
    assert.deepStrictEqual((yield* answerAfter(toldBy(ask()), 3_000))?._tag, "Success")
  })
})

/** What a provider says, and how many milliseconds it takes at most to say it: always within the grace. */
const Said = Schema.Struct({
  egress: Schema.Array(Schema.Literals([1n, 2n, 3n])).check(Schema.isMaxLength(3)),
  fails: Schema.Literals([
    "nothing",
    "nothing",
    "InsufficientLiquidity",
    "AmountBelowMinimum",
    "UpstreamFailed",
    "RateLimited",
  ]),
  sooner: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 399 })),
  later: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 399 })),
})

describe("any order of arrival of the same answers", () => {
  it.effect.prop(
    "gives the same result",
    [Schema.Array(Said).check(Schema.isMinLength(1), Schema.isMaxLength(4))],
    ([said]) =>
      Effect.gen(function* () {
        const resultWith = Effect.fnUntraced(function* (delays: ReadonlyArray<number>) {
          const providers = said.map(({ egress, fails }, index) => {
            const name = `provider-${index}`
            const answer: Effect.Effect<ReadonlyArray<Quote>, ProviderErrorReason> = fails === "nothing"
              ? quotes(ProviderName.make(name), ...egress)
              : Effect.fail(reasons[fails])
            return says(name, after(delays[index] ?? 0)(answer))
          })
          const { ask } = yield* quotingOver(providers)
          const fiber = yield* begin(Effect.result(ask()))
          yield* TestClock.adjust("400 millis")
          const result = yield* Fiber.join(fiber)
          return Result.isSuccess(result) ? result.success : yield* toldBy(Effect.fail(result.failure))
        }, Effect.scoped)

        const atOnce = yield* resultWith(said.map(() => 0))
        assert.deepStrictEqual(yield* resultWith(said.map(({ sooner }) => sooner)), atOnce)
        assert.deepStrictEqual(yield* resultWith(said.map(({ later }) => later)), atOnce)
      }),
    { arbitrary: { runs: 100, size: 4, seed: "arrivals" } },
  )
})

describe("callers", () => {
  it.effect("who ask the same share one call to each provider, a thousand at once", function* () {
    const one = says("first", after(100)(quotes(first, 5n)))
    const other = says("second", after(200)(quotes(second, 7n)))
    const { ask } = yield* quotingOver([one, other])
    const all = yield* begin(
      Effect.all(Array.makeBy(1_000, () => amounts(ask())), { concurrency: "unbounded" }),
    )
    yield* TestClock.adjust("200 millis")
    for (const answer of yield* Fiber.join(all)) assert.deepStrictEqual(answer, [7n, 5n])
    assert.strictEqual(one.calls.begun, 1)
    assert.strictEqual(other.calls.begun, 1)
  })

  it.effect("who name the provider share with those who do not", function* () {
    const one = says("first", after(100)(quotes(first, 5n)))
    const other = says("second", after(100)(quotes(second, 7n)))
    const { ask } = yield* quotingOver([one, other])
    const both = yield* begin(
      Effect.all([amounts(ask()), amounts(ask({}, "first"))], { concurrency: "unbounded" }),
    )
    yield* TestClock.adjust("100 millis")
    assert.deepStrictEqual(yield* Fiber.join(both), [[7n, 5n], [5n]])
    assert.deepStrictEqual([one.calls.begun, other.calls.begun], [1, 1])
  })

  for (
    const [what, changes] of [
      ["amount", { amount: NativeAmount.make(100_000_001n) }],
      ["commission", { commissionBps: Bps.make(1) }],
      ["source asset", { sourceAsset: "sol.sol" }],
      ["destination asset", { destinationAsset: "sol.sol" }],
    ] as const
  ) {
    it.effect(`who ask for another ${what} do not share`, function* () {
      const one = says("first", after(100)(quotes(first, 5n)))
      const { ask } = yield* quotingOver([one])
      yield* begin(Effect.all([ask(), ask(changes)], { concurrency: "unbounded" }))
      assert.strictEqual(one.calls.begun, 2)
    })
  }

  it.effect("who go away cancel what nobody else waits for, and nothing else", function* () {
    const shared = says("first", after(1_000)(quotes(first, 5n)))
    const own = says("second", after(1_000)(quotes(second, 7n)))
    const { ask } = yield* quotingOver([shared, own])
    const leaving = yield* begin(ask())
    const staying = yield* begin(amounts(ask({}, "first")))

    yield* Fiber.interrupt(leaving)
    yield* settle
    assert.deepStrictEqual(shared.calls, { begun: 1, cancelled: 0 })
    assert.deepStrictEqual(own.calls, { begun: 1, cancelled: 1 })
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* Fiber.join(staying), [5n])
  })

  it.effect("who go away do not open a circuit", function* () {
    const one = says("first", after(1_000)(quotes(first, 5n)))
    const { ask } = yield* quotingOver([one])
    yield* times(30, Effect.flatMap(begin(ask()), Fiber.interrupt))
    assert.deepStrictEqual(one.calls, { begun: 30, cancelled: 30 })
    assert.deepStrictEqual(yield* answerAfter(amounts(ask()), 1_000), Exit.succeed([NativeAmount.make(5n)]))
  })
})
