import { assert, describe, it, TestClock } from "../support.ts"
import { Array, Duration, Effect, Fiber, Layer, Schema } from "effect"
import { CircuitBreaker } from "effect/persistence"
import {
  after,
  begin,
  cut,
  defaultKnobs,
  fails,
  guardedUpstream,
  guardLayer,
  limits,
  reasons,
  times,
  withChance,
} from "./support.ts"

type Upstream = Effect.Success<ReturnType<typeof guardedUpstream>>

const refuses = Effect.fail(reasons.InsufficientLiquidity)

/** How long the circuit for openings is still open, in milliseconds; nothing where it is not. */
const openFor = (upstream: Upstream) =>
  Effect.map(
    upstream.circuit("open"),
    (circuit) => circuit._tag === "Open" ? Duration.toMillis(circuit.retryAfter) : undefined,
  )

/** Opens the circuit for openings so many times, one after another, and tells how long each opening was. */
const openings = Effect.fnUntraced(function* (upstream: Upstream, count: number) {
  yield* times(4, upstream.ask("open", fails))
  return yield* times(
    count,
    Effect.gen(function* () {
      yield* upstream.ask("open", fails)
      const millis = (yield* openFor(upstream)) ?? 0
      yield* TestClock.adjust(Duration.millis(millis))
      return millis
    }),
  )
})

for (const group of ["quote", "status"] as const) {
  describe(`the circuit for calls of the group ${group}`, () => {
    it.effect("does not open before 10 outcomes", function* () {
      const upstream = yield* guardedUpstream()
      yield* times(9, upstream.ask(group, fails))
      assert.strictEqual((yield* upstream.circuit(group))._tag, "Closed")
      yield* upstream.ask(group, fails)
      assert.strictEqual((yield* upstream.circuit(group))._tag, "Open")
    })

    it.effect("opens at half of 10 outcomes, not below", function* () {
      const below = yield* guardedUpstream()
      yield* times(6, below.ask(group))
      yield* times(4, below.ask(group, fails))
      assert.strictEqual((yield* below.circuit(group))._tag, "Closed")

      const at = yield* guardedUpstream()
      yield* times(5, at.ask(group))
      yield* times(5, at.ask(group, fails))
      assert.strictEqual((yield* at.circuit(group))._tag, "Open")
    })

    it.effect("also opens where the tenth outcome is an answer, as half of the ten are failures", () =>
      Effect.gen(function* () {
        const upstream = yield* guardedUpstream()
        yield* times(5, upstream.ask(group, fails))
        yield* times(4, upstream.ask(group))
        assert.strictEqual((yield* upstream.circuit(group))._tag, "Closed")
        assert.strictEqual(yield* upstream.ask(group), "answered")
        assert.strictEqual((yield* upstream.circuit(group))._tag, "Open")
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* upstream.ask(group), "answered")
        assert.strictEqual((yield* upstream.circuit(group))._tag, "Closed")
      }).pipe(withChance(0.5)))

    it.effect("looks at the last 20 outcomes", function* () {
      const upstream = yield* guardedUpstream()
      yield* times(4, upstream.ask(group, fails))
      yield* times(16, upstream.ask(group))
      // Each of these pushes one of the early failures out, so the rate stays where it is.
      yield* times(4, upstream.ask(group, fails))
      yield* times(12, upstream.ask(group))
      yield* times(5, upstream.ask(group, fails))
      assert.strictEqual((yield* upstream.circuit(group))._tag, "Closed")
      assert.strictEqual((yield* upstream.view)[group].window.length, 20)
      yield* times(5, upstream.ask(group, fails))
      assert.strictEqual((yield* upstream.circuit(group))._tag, "Open")
    })

    it.effect("takes an answer after more than 2.5 s for a failure, and gives it to the caller", function* () {
      const upstream = yield* guardedUpstream()
      const all = yield* begin(
        Effect.all(Array.makeBy(10, () => upstream.ask(group, after("2501 millis"))), { concurrency: 10 }),
      )
      yield* TestClock.adjust("2501 millis")
      assert.deepStrictEqual(new Set(yield* Fiber.join(all)), new Set(["answered"]))
      assert.strictEqual((yield* upstream.circuit(group))._tag, "Open")
    })

    it.effect("takes one after 2.5 s for a success, and a refusal after more for a failure", function* () {
      const upstream = yield* guardedUpstream()
      yield* times(5, begin(upstream.ask(group, after("2500 millis"))))
      yield* times(4, begin(upstream.ask(group, after("2501 millis", refuses))))
      yield* TestClock.adjust("3 seconds")
      const { calls } = (yield* upstream.view)[group]
      assert.deepStrictEqual(calls, { succeeded: 5, refused: 0, failed: 4, cancelled: 0, rejected: 0 })
    })

    it.effect("cuts an attempt off after 3 s", function* () {
      const upstream = yield* guardedUpstream()
      const hanging = yield* begin(upstream.ask(group, Effect.never))
      yield* TestClock.adjust("2999 millis")
      assert.isUndefined(hanging.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(hanging), "TimedOut")
      assert.strictEqual((yield* upstream.view)[group].calls.failed, 1)
    })
  })
}

describe("the circuit for openings", () => {
  it.effect("opens after 5 failures in a row", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(4, upstream.ask("open", fails))
    yield* upstream.ask("open", refuses)
    yield* times(4, upstream.ask("open", fails))
    assert.strictEqual((yield* upstream.circuit("open"))._tag, "Closed")
    yield* upstream.ask("open", fails)
    assert.strictEqual((yield* upstream.circuit("open"))._tag, "Open")
  })

  it.effect("is not moved by callers who go away in between", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(4, upstream.ask("open", fails))
    yield* times(10, Effect.flatMap(begin(upstream.ask("open", Effect.never)), Fiber.interrupt))
    assert.strictEqual((yield* upstream.circuit("open"))._tag, "Closed")
    assert.strictEqual((yield* upstream.view).open.calls.cancelled, 10)
    yield* upstream.ask("open", fails)
    assert.strictEqual((yield* upstream.circuit("open"))._tag, "Open")
  })

  it.effect("takes an answer after 59 s for a success and cuts an attempt off after 60 s", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(6, begin(upstream.ask("open", after("59999 millis"))))
    yield* times(3, begin(upstream.ask("open", Effect.never)))
    yield* TestClock.adjust("59999 millis")
    assert.deepInclude((yield* upstream.view).open.calls, { succeeded: 6, failed: 0 })
    yield* TestClock.adjust("1 millis")
    assert.deepInclude((yield* upstream.view).open.calls, { succeeded: 6, failed: 3 })
  })
})

describe("the groups of operations", () => {
  it.effect("have circuits of their own; what a provider can do is asked for the sake of quotes", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(10, upstream.ask("assets", fails))
    const view = yield* upstream.view
    assert.strictEqual(view.quote.circuit._tag, "Open")
    assert.strictEqual(view.open.circuit._tag, "Closed")
    assert.strictEqual(view.status.circuit._tag, "Closed")
    assert.strictEqual(yield* upstream.ask("quote"), "NotCalled")
    assert.strictEqual(yield* upstream.ask("open"), "answered")
    assert.strictEqual(yield* upstream.ask("status"), "answered")
  })
})

describe("an open circuit", () => {
  it.effect("stays open for 5 s, then twice as long each time, up to 120 s", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream()
      const millis = yield* openings(upstream, 8)
      assert.deepStrictEqual(millis, [5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000, 120_000])
    }).pipe(withChance(0.5)))

  it.effect("begins again with 5 s once it has been closed as long as it was last open", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream()
      yield* openings(upstream, 3)
      yield* upstream.ask("open")
      yield* TestClock.adjust("19999 millis")
      assert.deepStrictEqual(yield* openings(upstream, 1), [40_000])
      yield* upstream.ask("open")
      yield* TestClock.adjust("40 seconds")
      assert.deepStrictEqual(yield* openings(upstream, 1), [5_000])
    }).pipe(withChance(0.5)))

  it.effect.prop(
    "stays open 20 % shorter or longer, by chance",
    [Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))],
    ([chance]) =>
      Effect.gen(function* () {
        const upstream = yield* guardedUpstream()
        const bases = [5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000]
        const millis = yield* openings(upstream, bases.length)
        bases.forEach((base, index) =>
          assert.approximately(millis[index] ?? 0, base * (0.8 + 0.4 * chance), 0.001)
        )
      }).pipe(withChance(chance), Effect.scoped),
    { arbitrary: { runs: 30, seed: "jitter" } },
  )

  it.effect("lasts as long after months of openings", () =>
    Effect.gen(function* () {
      const lengths: Array<number> = []
      const store = CircuitBreaker.CircuitBreakerStore.of({
        admit: () =>
          Effect.succeed({ generation: 1, probe: true, consecutiveOpenings: 20_000, transition: undefined }),
        record: ({ openFor }) =>
          Effect.sync(() => {
            lengths.push(Duration.toMillis(openFor))
            return undefined
          }),
        state: (key) => Effect.succeed({ _tag: "Closed", key }),
      })
      const upstream = yield* guardedUpstream(
        guardLayer(defaultKnobs, Layer.succeed(CircuitBreaker.CircuitBreakerStore, store)),
      )
      yield* upstream.ask("open", fails)
      assert.deepStrictEqual(lengths, [120_000])
    }).pipe(withChance(0.5)))

  it.effect("tells callers how long it is still open, and at least a second", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream()
      yield* times(5, upstream.ask("open", fails))
      assert.deepInclude(yield* upstream.reasonOf("open"), { _tag: "NotCalled", retryAfterSeconds: 5 })
      yield* TestClock.adjust("3500 millis")
      assert.deepInclude(yield* upstream.reasonOf("open"), { _tag: "NotCalled", retryAfterSeconds: 1.5 })
      yield* TestClock.adjust("1400 millis")
      assert.deepInclude(yield* upstream.reasonOf("open"), { _tag: "NotCalled", retryAfterSeconds: 1 })
      yield* TestClock.adjust("100 millis")
      yield* begin(upstream.ask("open", Effect.never))
      assert.deepInclude(yield* upstream.reasonOf("open"), { _tag: "NotCalled", retryAfterSeconds: 1 })
      assert.strictEqual(upstream.attempts(), 6)
    }).pipe(withChance(0.5)))
})

describe("what the upstream asks to wait", () => {
  for (const [name, script] of [["429", limits], ["503", cut]] as const) {
    it.effect(`with a ${name} lengthens an opening, up to 10 minutes`, () =>
      Effect.gen(function* () {
        const hinted = yield* guardedUpstream()
        yield* times(5, hinted.ask("open", script(30)))
        assert.strictEqual(yield* openFor(hinted), 30_000)

        const far = yield* guardedUpstream()
        yield* times(5, far.ask("open", script(86_400)))
        assert.strictEqual(yield* openFor(far), 600_000)
      }).pipe(withChance(0.5)))

    it.effect(`with a ${name} never shortens an opening`, () =>
      Effect.gen(function* () {
        const upstream = yield* guardedUpstream()
        yield* times(5, upstream.ask("open", script(1)))
        assert.strictEqual(yield* openFor(upstream), 5_000)
      }).pipe(withChance(0.5)))
  }

  it.effect("counts only with the failure that opens the circuit", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream()
      yield* times(4, upstream.ask("open", limits(300)))
      yield* upstream.ask("open", fails)
      assert.strictEqual(yield* openFor(upstream), 5_000)
    }).pipe(withChance(0.5)))

  it.effect("also holds after a failed probe", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream()
      yield* openings(upstream, 1)
      yield* upstream.ask("open", limits(400))
      assert.strictEqual(yield* openFor(upstream), 400_000)
    }).pipe(withChance(0.5)))
})
