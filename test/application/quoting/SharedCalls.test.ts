import { assert, describe, it } from "#test/support/it.ts"
import { Array, Duration, Effect, Exit, Fiber, Metric, Scope } from "effect"
import { TestClock } from "effect/testing"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { outcomeOf } from "#providers/guard/classify.ts"
import { mostAnswered } from "#application/quoting/SharedCalls.ts"
import { begin, reasons, settle } from "#test/providers/guard/support.ts"
import { answer, answers, answersAfter, sharing } from "./sharing.ts"
import { failureOf, first, quoteOf } from "./support.ts"

describe("callers of the same key", () => {
  it.effect("share one call, a thousand of them at once", function* () {
    const { ask, count } = yield* sharing()
    const all = yield* begin(
      Effect.all(Array.makeBy(1_000, () => ask(answersAfter("1 second"))), { concurrency: "unbounded" }),
    )
    yield* TestClock.adjust("1 second")
    const got = yield* Fiber.join(all)
    assert.strictEqual(got.filter((quotes) => quotes === answer).length, 1_000)
    assert.strictEqual(count.begun, 1)
  })

  it.effect("share only a call that is under way where answers are not kept", function* () {
    const { ask, calls, count } = yield* sharing({ quotes: Duration.zero, refusals: Duration.zero })
    const both = yield* begin(Effect.all([ask(answersAfter("1 second")), ask(answers)], { concurrency: 2 }))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* Fiber.join(both), [answer, answer])
    assert.strictEqual(count.begun, 1)
    yield* ask(answers)
    yield* ask(answers)
    assert.strictEqual(count.begun, 3)
    yield* Effect.flip(ask(Effect.fail(failureOf(first, reasons.NotCalled))))
    assert.strictEqual(calls.size, 0)
  })

  it.effect("share a failure of the call that is under way", function* () {
    const { ask, count } = yield* sharing()
    const error = failureOf(first, reasons.UpstreamFailed)
    const all = yield* begin(Effect.all(
      Array.makeBy(10, () => Effect.flip(ask(Effect.delay(Effect.fail(error), "1 second")))),
      { concurrency: "unbounded" },
    ))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* Fiber.join(all), Array.makeBy(10, () => error))
    assert.strictEqual(count.begun, 1)
  })

  it.effect("do not join a call that waits for its caller alone, who joins what others began", function* () {
    const { ask, count } = yield* sharing()
    const waiting = yield* begin(Effect.flip(ask(
      Effect.delay(Effect.fail(failureOf(first, reasons.NotCalled)), "1 second"),
      "key",
      "key 1",
    )))
    assert.strictEqual(yield* ask(answers), answer)
    assert.strictEqual(yield* ask(Effect.die("is not begun"), "key", "key 1"), answer)
    assert.strictEqual(count.begun, 2)
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Fiber.join(waiting)).reason._tag, "NotCalled")
  })

  it.effect("all learn of a defect, and the next caller does not", function* () {
    const { ask, calls } = yield* sharing()
    const all = yield* begin(Effect.all(
      Array.makeBy(10, () => Effect.exit(ask(Effect.delay(Effect.die("a bug"), "1 second")))),
      { concurrency: "unbounded" },
    ))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* Fiber.join(all), Array.makeBy(10, () => Exit.die("a bug")))
    assert.strictEqual(calls.size, 0)
    assert.strictEqual(yield* ask(answers), answer)
  })

  it.effect("are counted by how they were served", () =>
    Effect.gen(function* () {
      const { ask } = yield* sharing()
      const all = yield* begin(
        Effect.all([1, 2, 3].map(() => ask(answersAfter("1 second"))), { concurrency: "unbounded" }),
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(all)
      yield* ask(answers)
      for (const [how, count] of [["joined", 2], ["reused", 1]] as const) {
        const metric = metrics.quotesShared({ provider: first, how })
        assert.strictEqual(Number((yield* Metric.value(metric)).count), count, how)
      }
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())))

  it.effect("do not share with callers of another key", function* () {
    const { ask, count } = yield* sharing()
    yield* Effect.all([ask(answers, "one"), ask(answers, "other")], { concurrency: "unbounded" })
    assert.strictEqual(count.begun, 2)
  })
})

describe("an answer", () => {
  it.effect("is reused for its time and no longer, however often it is", function* () {
    const { ask, count } = yield* sharing()
    yield* ask(answers)
    for (const millis of [500, 499]) {
      yield* TestClock.adjust(Duration.millis(millis))
      yield* ask(answers)
      assert.strictEqual(count.begun, 1)
    }
    yield* TestClock.adjust("1 millis")
    yield* ask(answers)
    assert.strictEqual(count.begun, 2)
  })

  it.effect("is as old as its end, not as its beginning", function* () {
    const { ask, count } = yield* sharing()
    yield* begin(ask(answersAfter("3 seconds")))
    yield* TestClock.adjust("3999 millis")
    yield* ask(answers)
    assert.strictEqual(count.begun, 1)
  })

  it.effect("is never reused where the time is nothing", function* () {
    const { ask, calls, count } = yield* sharing({ quotes: Duration.zero, refusals: Duration.zero })
    yield* ask(answers)
    assert.strictEqual(calls.size, 0)
    yield* ask(answers)
    assert.strictEqual(count.begun, 2)
  })

  for (const reason of Object.values(reasons)) {
    const isRefusal = outcomeOf(reason)._tag === "Success"
    it.effect(`of ${reason._tag} is ${isRefusal ? "reused for 250 ms" : "never reused"}`, function* () {
      const { ask, calls, count } = yield* sharing()
      const error = failureOf(first, reason)
      const fails = Effect.flip(ask(Effect.fail(error)))
      assert.strictEqual(yield* fails, error)
      assert.strictEqual(calls.size, isRefusal ? 1 : 0)
      yield* TestClock.adjust("249 millis")
      assert.strictEqual(yield* fails, error)
      assert.strictEqual(count.begun, isRefusal ? 1 : 2)
      yield* TestClock.adjust("1 millis")
      yield* fails
      assert.strictEqual(count.begun, isRefusal ? 2 : 3)
    })
  }
})

describe("answers that are kept", () => {
  it.effect("are as many as fit, those that were asked for least lately go first", function* () {
    const { ask, calls, count } = yield* sharing()
    for (let key = 0; key < mostAnswered; key++) yield* ask(answers, `${key}`)
    yield* ask(answers, "0")
    assert.strictEqual(count.begun, mostAnswered)

    yield* ask(answers, "one more")
    assert.strictEqual(calls.size, mostAnswered)
    yield* ask(answers, "0")
    assert.strictEqual(count.begun, mostAnswered + 1)
    yield* ask(answers, "1")
    assert.strictEqual(count.begun, mostAnswered + 2)
  })

  it.effect("are let go of when they are forgotten, and not by those who wait", function* () {
    const { ask, calls } = yield* sharing()
    const slow = yield* begin(ask(answersAfter("500 millis"), "slow"))
    const call = calls.get("slow")
    assert.isDefined(call?.fiber)
    yield* TestClock.adjust("500 millis")
    assert.deepStrictEqual([call?.exit, call?.fiber], [Exit.succeed(answer), undefined])

    for (let key = 0; key < mostAnswered; key++) yield* ask(answers, `${key}`)
    assert.isUndefined(call?.exit)
    assert.strictEqual(yield* Fiber.join(slow), answer)
  })

  it.effect("never take the place of a call that is under way", function* () {
    const { ask, count } = yield* sharing()
    const slow = yield* begin(ask(answersAfter("500 millis"), "slow"))
    for (let key = 0; key <= mostAnswered; key++) yield* ask(answers, `${key}`)
    const joined = yield* begin(ask(answers, "slow"))
    yield* TestClock.adjust("500 millis")
    assert.deepStrictEqual([yield* Fiber.join(slow), yield* Fiber.join(joined)], [answer, answer])
    assert.strictEqual(count.begun, mostAnswered + 2)
  })
})

describe("calls that are under way", () => {
  it.effect("end with the scope", function* () {
    const scope = yield* Scope.make()
    const { ask, count } = yield* Scope.provide(sharing(), scope)
    yield* begin(ask(Effect.never, "one"))
    yield* begin(ask(Effect.never, "other"))
    assert.strictEqual(count.running, 2)
    yield* Scope.close(scope, Exit.void)
    assert.deepStrictEqual(count, { begun: 2, running: 0, cancelled: 2 })
  })
})

describe("a caller who goes away", () => {
  it.effect("does not end the call while others wait, the last one does", function* () {
    const { ask, calls, count } = yield* sharing()
    const one = yield* begin(ask(answersAfter("1 second")))
    const other = yield* begin(ask(answers))
    const third = yield* begin(ask(answers))

    yield* Fiber.interrupt(one)
    yield* Fiber.interrupt(third)
    assert.strictEqual(count.running, 1)
    yield* Fiber.interrupt(other)
    yield* settle
    assert.deepStrictEqual(count, { begun: 1, running: 0, cancelled: 1 })
    assert.strictEqual(calls.size, 0)
  })

  it.effect("leaves the answer to those who stay", function* () {
    const { ask } = yield* sharing()
    const one = yield* begin(ask(answersAfter("1 second")))
    const other = yield* begin(ask(answers))
    yield* Fiber.interrupt(one)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* Fiber.join(other), answer)
  })

  it.effect("as the last leaves nothing behind for the next, who begins a call of its own", function* () {
    const { ask, count } = yield* sharing()
    yield* Effect.flatMap(begin(ask(Effect.never)), Fiber.interrupt)
    assert.strictEqual(yield* ask(answers), answer)
    assert.strictEqual(count.begun, 2)
  })

  it.effect("before the call has even begun leaves no call behind", function* () {
    const { ask, calls, count } = yield* sharing()
    const caller = yield* Effect.forkScoped(ask(Effect.never), { startImmediately: true })
    yield* Fiber.interrupt(caller)
    yield* settle
    assert.strictEqual(count.running, 0)
    assert.strictEqual(calls.size, 0)
  })

  it.effect("does not wait for a call that cannot be ended, nor does what comes of it reach the next", function* () {
    const { ask, calls, count } = yield* sharing()
    const stubborn = [quoteOf(first, 2n)]
    const caller = yield* begin(
      ask(Effect.uninterruptible(Effect.delay(Effect.succeed(stubborn), "1 second"))),
    )
    yield* Fiber.interrupt(caller)
    const next = yield* begin(ask(answersAfter("2 seconds")))
    yield* TestClock.adjust("1 second")
    assert.isUndefined(next.pollUnsafe())
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* Fiber.join(next), answer)
    assert.strictEqual(yield* ask(Effect.succeed(stubborn)), answer)
    assert.deepStrictEqual(count, { begun: 2, running: 0, cancelled: 1 })
    assert.strictEqual(calls.size, 1)
  })

  it.effect("in the moment in which the call ends harms nobody", function* () {
    for (const work of [answersAfter("1 second"), Effect.delay(Effect.die("a bug"), "1 second")]) {
      for (const patience of ["999 millis", "1 second", "1001 millis"] as const) {
        const { ask, calls, count } = yield* sharing()
        const before = yield* begin(Effect.timeoutOption(ask(work), patience))
        const last = yield* begin(Effect.exit(Effect.timeoutOption(ask(work), "1 second")))
        yield* TestClock.adjust("2 seconds")
        assert.isDefined(before.pollUnsafe())
        assert.isDefined(last.pollUnsafe())
        assert.strictEqual(yield* ask(answers), answer)
        assert.strictEqual(count.running, 0)
        assert.isAtMost(calls.size, 1)
      }
    }
  })
})
