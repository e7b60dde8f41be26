import { assert, describe, it, TestClock } from "../support.ts"
import { Duration, Effect, Fiber, Schema } from "effect"
import {
  after,
  begin,
  cut,
  fails,
  guardedUpstream,
  guardLayer,
  impatientKnobs,
  inTurn,
  limits,
  reasons,
  settle,
  times,
  withChance,
} from "./support.ts"

const retries = [["quote", 1], ["assets", 1], ["status", 2]] as const

describe("a call that the connection failed", () => {
  for (const [asked, count] of retries) {
    it.effect(`is tried ${count} more, for ${asked}, and counts as one failure`, () =>
      Effect.gen(function* () {
        const upstream = yield* guardedUpstream()
        const call = yield* begin(upstream.ask(asked, cut()))
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(yield* Fiber.join(call), "Unreachable")
        assert.strictEqual(upstream.attempts(), count + 1)
        const view = yield* upstream.view
        assert.deepInclude(view[asked === "assets" ? "quote" : asked].calls, { succeeded: 0, failed: 1 })
      }).pipe(withChance(0.5)))

    it.effect(`counts as one success, for ${asked}, where the last attempt is answered`, () =>
      Effect.gen(function* () {
        const upstream = yield* guardedUpstream()
        const cuts = Array.from({ length: count }, () => cut())
        const call = yield* begin(upstream.ask(asked, inTurn(...cuts, Effect.void)))
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(yield* Fiber.join(call), "answered")
        const view = yield* upstream.view
        assert.deepInclude(view[asked === "assets" ? "quote" : asked].calls, { succeeded: 1, failed: 0 })
      }).pipe(withChance(0.5)))
  }

  it.effect("is never tried again where a channel was to be opened", function* () {
    const upstream = yield* guardedUpstream()
    assert.strictEqual(yield* upstream.ask("open", cut()), "Unreachable")
    assert.strictEqual(yield* upstream.ask("open", cut(0)), "Unreachable")
    assert.strictEqual(upstream.attempts(), 2)
  })

  it.effect("is not tried again where the caller has gone away", function* () {
    const upstream = yield* guardedUpstream()
    const call = yield* begin(upstream.ask("quote", cut()))
    yield* Fiber.interrupt(call)
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(upstream.attempts(), 1)
    assert.deepInclude((yield* upstream.view).quote.calls, { failed: 0, cancelled: 1 })
  })
})

describe("nothing but a failed connection is tried again:", () => {
  for (const reason of Object.values(reasons)) {
    const isPassing = reason._tag === "Unreachable"
    it.effect(`${reason._tag} ${isPassing ? "is" : "is not"}`, function* () {
      const upstream = yield* guardedUpstream()
      const call = yield* begin(upstream.ask("quote", Effect.fail(reason)))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* Fiber.join(call), reason._tag)
      assert.strictEqual(upstream.attempts(), isPassing ? 2 : 1)
    })
  }

  it.effect("an attempt that took too long is not", function* () {
    const upstream = yield* guardedUpstream()
    const call = yield* begin(upstream.ask("status", Effect.never))
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* Fiber.join(call), "TimedOut")
    assert.strictEqual(upstream.attempts(), 1)
  })

  it.effect("a full bulkhead is not", function* () {
    const upstream = yield* guardedUpstream(guardLayer(impatientKnobs))
    yield* times(64, begin(upstream.ask("quote", Effect.never)))
    assert.strictEqual(yield* upstream.ask("quote"), "NotCalled")
    assert.strictEqual(upstream.attempts(), 64)
  })

  it.effect("an open circuit is not", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(10, upstream.ask("quote", fails))
    assert.strictEqual(yield* upstream.ask("quote"), "NotCalled")
    assert.strictEqual(upstream.attempts(), 10)
  })

  it.effect("a defect is not", function* () {
    const upstream = yield* guardedUpstream()
    assert.strictEqual(yield* upstream.ask("quote", Effect.die("a bug of the provider")), "ProviderDefect")
    assert.strictEqual(upstream.attempts(), 1)
  })
})

describe("before another attempt", () => {
  it.effect.prop(
    "passes a time between 50 ms and 1 s, by chance",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 950 }))],
    ([beyondShortest]) =>
      Effect.gen(function* () {
        const upstream = yield* guardedUpstream()
        yield* begin(upstream.ask("quote", cut()))
        yield* TestClock.adjust(Duration.millis(50 + beyondShortest - 1))
        assert.strictEqual(upstream.attempts(), 1)
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(upstream.attempts(), 2)
      }).pipe(withChance((beyondShortest + 0.5) / 951), Effect.scoped),
    { arbitrary: { runs: 50, seed: "pause" } },
  )

  for (const seconds of [0, 1, 2]) {
    it.effect(`pass the ${seconds} s that the upstream asks for, whatever chance says`, function* () {
      const upstream = yield* guardedUpstream()
      yield* begin(upstream.ask("quote", cut(seconds)))
      if (seconds > 0) {
        yield* TestClock.adjust(Duration.millis(seconds * 1_000 - 1))
        assert.strictEqual(upstream.attempts(), 1)
      }
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(upstream.attempts(), 2)
    })
  }

  it.effect("nothing is waited for that the caller would not live to see", function* () {
    const upstream = yield* guardedUpstream()
    // 2.001 s of pause and 3 s of attempt are more than the 5 s of the deadline.
    assert.strictEqual(yield* upstream.ask("quote", cut(2.001)), "Unreachable")
    assert.strictEqual(yield* upstream.ask("status", cut(30)), "Unreachable")
    assert.strictEqual(upstream.attempts(), 2)
  })

  it.effect("the time of the attempts before counts too", function* () {
    const upstream = yield* guardedUpstream()
    const call = yield* begin(upstream.ask("quote", after("1500 millis", cut(0.6))))
    yield* TestClock.adjust("1500 millis")
    yield* settle
    assert.strictEqual(yield* Fiber.join(call), "Unreachable")
    assert.strictEqual(upstream.attempts(), 1)
  })

  it.effect("a circuit learns of an upstream that asks for more time than callers have", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(10, Effect.timeoutOption(upstream.ask("quote", cut(30)), "5 seconds"))
    const circuit = yield* upstream.circuit("quote")
    assert.strictEqual(circuit._tag, "Open")
    assert.deepInclude(yield* upstream.reasonOf("quote"), { _tag: "NotCalled", retryAfterSeconds: 30 })
  })

  it.effect("nothing passes after a limit of calls, which is not tried again", function* () {
    const upstream = yield* guardedUpstream()
    assert.strictEqual(yield* upstream.ask("quote", limits(0)), "RateLimited")
    assert.strictEqual(upstream.attempts(), 1)
  })
})
