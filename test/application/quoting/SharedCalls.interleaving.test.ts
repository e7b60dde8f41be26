import { assert, describe, it } from "#test/support/it.ts"
import { Array, Cause, Duration, Effect, Exit, Fiber, References, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { begin, reasons, settle } from "#test/providers/guard/support.ts"
import { answer, answers, answersAfter, sharing, type Work } from "./sharing.ts"
import { failureOf, first } from "./support.ts"

const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))

/** When callers come, and for how long they wait at most; the call takes 5 ms. */
const Callers = Schema.Array(Schema.Struct({ comes: Millis, patience: Millis }))

/** Lets even fibers that give way all the time go as far as they can. */
const settleSlowly = Effect.replicateEffect(settle, 4)

describe("whatever the order in which callers come and go", () => {
  it.effect.prop(
    "each one that waits long enough gets the answer, and nothing is left",
    { callers: Callers, yieldsAfter: Schema.Literals([3, 4, 5, 7, 2_048]) },
    ({ callers, yieldsAfter }) =>
      Effect.gen(function* () {
        const { ask, calls, count } = yield* sharing({
          quotes: Duration.millis(2),
          refusals: Duration.millis(2),
        })
        const fibers = yield* Effect.forEach(callers, ({ comes, patience }) =>
          ask(answersAfter("5 millis")).pipe(
            Effect.timeoutOption(Duration.millis(patience)),
            Effect.delay(Duration.millis(comes)),
            Effect.provideService(References.MaxOpsBeforeYield, yieldsAfter),
            Effect.forkScoped,
          ))
        yield* settleSlowly
        yield* Effect.replicateEffect(Effect.andThen(TestClock.adjust("1 millis"), settleSlowly), 26)
        for (const [index, { patience }] of callers.entries()) {
          const exit = fibers[index]?.pollUnsafe()
          assert.strictEqual(exit?._tag, "Success", `caller ${index}`)
          if (patience > 5 && exit?._tag === "Success") {
            assert.strictEqual(exit.value._tag, "Some")
          }
        }
        assert.strictEqual(calls.size, 0)
        assert.strictEqual(count.running, 0)
      }).pipe(Effect.scoped, Effect.provide(TestClock.layer())),
    { arbitrary: { runs: 40, size: 12, seed: "callers" } },
  )

  it.effect("one who joins in the very step in which the last one leaves is not dragged along", function* () {
    // Each number of steps before a fiber gives way is another interleaving; with fewer than 3 it never moves.
    for (let yieldsAfter = 3; yieldsAfter <= 14; yieldsAfter++) {
      for (let head = 0; head <= 6; head++) {
        const { ask } = yield* sharing()
        const leaving = yield* begin(ask(answersAfter("1 second")))
        const joining = yield* ask(answersAfter("1 second")).pipe(
          Effect.provideService(References.MaxOpsBeforeYield, yieldsAfter),
          Effect.forkScoped({ startImmediately: true }),
        )
        yield* Effect.replicateEffect(Effect.yieldNow, head)
        yield* Fiber.interrupt(leaving)
        yield* settleSlowly
        yield* TestClock.adjust("1 second")
        yield* settleSlowly
        const exit = joining.pollUnsafe()
        assert.deepStrictEqual(exit, Exit.succeed(answer), `gives way after ${yieldsAfter}, head ${head}`)
      }
    }
  })
})

describe("after everything", () => {
  it.effect("nothing is left of ten thousand keys, nor runs", function* () {
    const { ask, calls, count } = yield* sharing()
    const kinds: ReadonlyArray<Work> = [
      answers,
      answersAfter("1 second"),
      Effect.fail(failureOf(first, reasons.InsufficientLiquidity)),
      Effect.fail(failureOf(first, reasons.UpstreamFailed)),
      Effect.die("a bug"),
      Effect.never,
    ]
    const all = yield* begin(Effect.forEach(
      Array.range(1, 10_000),
      (key) =>
        Effect.exit(
          Effect.timeoutOption(ask(kinds[key % kinds.length] ?? answers, `${key}`), "2 seconds"),
        ),
      { concurrency: "unbounded", discard: true },
    ))
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.join(all)
    assert.strictEqual(count.begun, 10_000)
    assert.strictEqual(count.running, 0)
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(calls.size, 0)
  })

  it.effect("old answers go while other calls hang", function* () {
    const { ask, calls } = yield* sharing()
    yield* begin(ask(Effect.never, "hangs"))
    yield* Effect.forEach(Array.range(1, 100), (key) => ask(answers, `${key}`))
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual([...calls.keys()], ["hangs"])
  })

  it.effect("the end of the service ends the calls that are under way, and their callers", function* () {
    const scope = yield* Scope.make()
    const { ask, count } = yield* Scope.provide(sharing(), scope)
    const caller = yield* begin(ask(Effect.never))
    yield* Scope.close(scope, Exit.void)
    const exit = yield* Fiber.await(caller)
    assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
    assert.strictEqual(count.running, 0)
  })
})
