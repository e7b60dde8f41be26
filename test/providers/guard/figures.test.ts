import { assert, collectLogs, describe, it, TestClock } from "../support.ts"
import { Duration, Effect, Fiber, Layer, Metric } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import {
  after,
  begin,
  cut,
  defaultKnobs,
  fails,
  guardedUpstream,
  guardLayer,
  impatientKnobs,
  reasons,
  settle,
  times,
  withChance,
} from "./support.ts"

/** Metrics of their own, so that other tests do not count. */
const ownMetrics = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => Effect.provideService(effect, Metric.MetricRegistry, new Map()))

const of = (operation: string) => ({ provider: "upstream", operation })

/** A call of each outcome in the group of openings; one is still under way. */
const oneOfEach = Effect.gen(function* () {
  const upstream = yield* guardedUpstream()
  yield* upstream.ask("open")
  yield* upstream.ask("open", Effect.fail(reasons.TooManyChannels))
  yield* Effect.flatMap(begin(upstream.ask("open", Effect.never)), Fiber.interrupt)
  yield* times(5, upstream.ask("open", fails))
  yield* upstream.ask("open")
  return upstream
})

const counts = { succeeded: 1, refused: 1, failed: 5, cancelled: 1, rejected: 1 } as const

describe("a bulkhead", () => {
  for (const [group, size] of [["quote", 64], ["open", 16], ["status", 32], ["node", 32]] as const) {
    it.effect(`lets ${size} calls of the group ${group} in at once and turns the next away`, function* () {
      const upstream = yield* guardedUpstream(guardLayer(impatientKnobs))
      const calls = yield* times(size, begin(upstream.ask(group, Effect.never)))
      assert.strictEqual(upstream.attempts(), size)
      const reason = yield* upstream.reasonOf(group)
      assert.deepInclude(reason, { _tag: "NotCalled", retryAfterSeconds: 1 })
      assert.strictEqual(upstream.attempts(), size)

      yield* Effect.forEach(calls.slice(0, 1), Fiber.interrupt)
      assert.strictEqual(yield* upstream.ask(group), "answered")
    })
  }

  it.effect("leaves the other groups alone, and holds calls back while they wait to be tried again", function* () {
    const upstream = yield* guardedUpstream(guardLayer(impatientKnobs))
    yield* times(64, begin(upstream.ask("quote", cut(1))))
    assert.strictEqual(yield* upstream.ask("assets"), "NotCalled")
    assert.strictEqual(yield* upstream.ask("status"), "answered")
  })

  it.effect("has every place free again, however the calls ended", function* () {
    const upstream = yield* guardedUpstream(guardLayer(impatientKnobs))
    const ends = [
      Effect.void,
      Effect.fail(reasons.TooManyChannels),
      Effect.die("a bug of the provider"),
      Effect.interrupt,
    ]
    yield* times(20, Effect.forEach(ends, (end) => Effect.exit(upstream.ask("open", end))))
    yield* times(5, Effect.flatMap(begin(upstream.ask("open", Effect.never)), Fiber.interrupt))
    yield* begin(times(16, begin(upstream.ask("open", Effect.never))))
    const { calls } = (yield* upstream.view).open
    assert.strictEqual(calls.rejected, 0)
  })
})

describe("the figures of a provider", () => {
  it.effect("count every call by its outcome", function* () {
    const upstream = yield* oneOfEach
    const { open, quote, status } = yield* upstream.view
    assert.deepStrictEqual(open.calls, counts)
    assert.deepStrictEqual(open.window, [
      "succeeded",
      "succeeded",
      "failed",
      "failed",
      "failed",
      "failed",
      "failed",
    ])
    assert.strictEqual(open.lastError?.reason, "UpstreamFailed")
    assert.strictEqual(open.lastError?.detail, reasons.UpstreamFailed.detail)
    assert.strictEqual(quote.window.length + status.window.length, 0)
  })

  it.effect("tell when it last failed and how long its calls took", function* () {
    const upstream = yield* guardedUpstream()
    assert.isUndefined((yield* upstream.view).quote.averageMillis)
    yield* begin(upstream.ask("quote", after("100 millis")))
    yield* begin(upstream.ask("quote", after("300 millis", fails)))
    yield* TestClock.adjust("1 second")
    const { averageMillis, lastError } = (yield* upstream.view).quote
    assert.strictEqual(averageMillis, 200)
    assert.strictEqual(lastError?.at, 300)
  })

  it.effect("are those of one provider", function* () {
    const upstream = yield* oneOfEach
    const other = yield* guardedUpstream()
    assert.strictEqual((yield* other.view).open.window.length, 0)
    assert.strictEqual((yield* upstream.view).open.window.length, 7)
  })

  it.effect("go to the metrics, without anything but provider, operation and outcome", () =>
    Effect.gen(function* () {
      yield* oneOfEach
      for (const [outcome, count] of Object.entries(counts)) {
        const value = yield* Metric.value(metrics.providerCalls({ ...of("open"), outcome }))
        assert.strictEqual(Number(value.count), count, outcome)
      }
      const seconds = yield* Metric.value(metrics.providerCallSeconds(of("open")))
      assert.strictEqual(seconds.count, 7)
      const inFlight = yield* Metric.value(metrics.providerInFlight(of("open")))
      assert.strictEqual(Number(inFlight.value), 0)
    }).pipe(ownMetrics))

  it.effect("show the calls under way", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream()
      yield* times(3, begin(upstream.ask("status", after("1 second"))))
      const gauge = Metric.value(metrics.providerInFlight(of("status")))
      assert.strictEqual(Number((yield* gauge).value), 3)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(Number((yield* gauge).value), 0)
    }).pipe(ownMetrics))

  it.effect("show and log every turn of a circuit", () =>
    Effect.gen(function* () {
      const { lines } = yield* collectLogs(Effect.gen(function* () {
        const upstream = yield* oneOfEach
        const state = Metric.value(metrics.circuitState(of("open")))
        yield* settle
        assert.strictEqual(Number((yield* state).value), 2)
        yield* TestClock.adjust("5 seconds")
        const probe = yield* begin(upstream.ask("open", after("1 second")))
        assert.strictEqual(Number((yield* state).value), 1)
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(probe)
        yield* settle
        assert.strictEqual(Number((yield* state).value), 0)
      }))
      for (const to of ["open", "halfopen", "closed"]) {
        const turns = yield* Metric.value(metrics.circuitTransitions({ ...of("open"), to }))
        assert.strictEqual(Number(turns.count), 1, to)
      }
      assert.deepStrictEqual(lines, [
        "The circuit of upstream for open is now Open",
        "The circuit of upstream for open is now HalfOpen",
        "The circuit of upstream for open is now Closed",
      ])
    }).pipe(ownMetrics, withChance(0.5)))
})

describe("a store of circuits that cannot be reached", () => {
  const storeError = new CircuitBreaker.CircuitBreakerError({
    reason: new CircuitBreaker.CircuitBreakerStoreError({ message: "connection refused" }),
  })
  const unreachable = Layer.succeed(CircuitBreaker.CircuitBreakerStore, {
    admit: () => Effect.fail(storeError),
    record: () => Effect.fail(storeError),
    state: () => Effect.fail(storeError),
  })

  it.effect("holds no call back, and calls are bounded and in the metrics as ever", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream(guardLayer(defaultKnobs, unreachable))
      assert.strictEqual(yield* upstream.ask("quote"), "answered")
      const hanging = yield* begin(upstream.ask("quote", Effect.never))
      yield* TestClock.adjust(Duration.seconds(3))
      assert.strictEqual(yield* Fiber.join(hanging), "TimedOut")
      for (const outcome of ["succeeded", "failed"]) {
        const value = yield* Metric.value(metrics.providerCalls({ ...of("quote"), outcome }))
        assert.strictEqual(Number(value.count), 1, outcome)
      }
    }).pipe(ownMetrics, collectLogs))
})
