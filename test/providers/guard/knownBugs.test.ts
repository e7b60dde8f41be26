import { assert, describe, it, TestClock } from "../support.ts"
import { Duration, Effect, Fiber } from "effect"
import {
  after,
  begin,
  defaultKnobs,
  fails,
  guardedUpstream,
  guardLayer,
  idleTimeToLive,
  impatientKnobs,
  times,
  withChance,
} from "./support.ts"

const { openTime } = defaultKnobs.circuit

/** An upstream whose circuit for openings has just opened, for exactly the open time. */
const tripped = Effect.tap(guardedUpstream(), (upstream) => times(5, upstream.ask("open", fails)))

/** The same when the next call will be the probe. */
const aboutToProbe = Effect.tap(tripped, () => TestClock.adjust(openTime))

describe("a circuit has none of the known bugs of other breakers:", () => {
  it.effect("a cancelled probe does not close it, and the next call is a probe", () =>
    Effect.gen(function* () {
      const upstream = yield* aboutToProbe
      const probe = yield* begin(upstream.ask("open", Effect.never))
      assert.deepInclude(yield* upstream.circuit("open"), { _tag: "HalfOpen", probing: true })

      yield* Fiber.interrupt(probe)
      assert.deepInclude(yield* upstream.circuit("open"), { _tag: "HalfOpen", probing: false })

      const next = yield* begin(upstream.ask("open", Effect.never))
      assert.deepInclude(yield* upstream.circuit("open"), { _tag: "HalfOpen", probing: true })
      assert.strictEqual(yield* upstream.ask("open"), "NotCalled")
      yield* Fiber.interrupt(next)
      assert.strictEqual(yield* upstream.ask("open", fails), "UpstreamFailed")
      assert.deepInclude(yield* upstream.circuit("open"), { _tag: "Open", consecutiveOpenings: 2 })
    }).pipe(withChance(0.5)))

  it.effect("a lost probe does not leave it half-open for ever", () =>
    Effect.gen(function* () {
      const upstream = yield* aboutToProbe
      yield* begin(upstream.ask("open", Effect.never))

      yield* TestClock.adjust(defaultKnobs.groups.open.attemptTimeout)
      assert.deepInclude(yield* upstream.circuit("open"), { _tag: "Open", consecutiveOpenings: 2 })
      yield* TestClock.adjust(Duration.times(openTime, 2))
      assert.strictEqual(yield* upstream.ask("open"), "answered")
      assert.deepInclude(yield* upstream.circuit("open"), { _tag: "Closed" })
    }).pipe(withChance(0.5)))

  it.effect("a probe that dies of a defect does not leave it half-open for ever", () =>
    Effect.gen(function* () {
      const upstream = yield* aboutToProbe
      yield* Effect.exit(upstream.ask("open", Effect.die("a bug of the provider")))
      assert.deepInclude(yield* upstream.circuit("open"), { _tag: "Open", consecutiveOpenings: 2 })
    }).pipe(withChance(0.5)))

  it.effect("a late success of an earlier epoch does not close it", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream()
      const late = yield* begin(upstream.ask("open", after("2 seconds")))
      yield* times(5, upstream.ask("open", fails))

      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* Fiber.join(late), "answered")
      assert.deepInclude(yield* upstream.circuit("open"), { _tag: "Open", consecutiveOpenings: 1 })
    }).pipe(withChance(0.5)))

  it.effect("a late result of an earlier epoch does not stand in for that of the probe", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream()
      yield* begin(upstream.ask("open", after("6 seconds", fails)))
      yield* begin(upstream.ask("open", after("7 seconds")))
      yield* times(5, upstream.ask("open", fails))
      yield* TestClock.adjust(openTime)
      yield* begin(upstream.ask("open", after("4 seconds")))

      for (const seconds of [1, 1, 1]) {
        yield* TestClock.adjust(Duration.seconds(seconds))
        assert.deepInclude(yield* upstream.circuit("open"), { _tag: "HalfOpen", probing: true })
      }
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* upstream.circuit("open"), { _tag: "Closed" })
    }).pipe(withChance(0.5)))

  it.effect("late failures of an earlier epoch do not open it again", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream()
      yield* times(5, begin(upstream.ask("open", after("10 seconds", fails))))
      yield* times(5, upstream.ask("open", fails))
      yield* TestClock.adjust(openTime)
      assert.strictEqual(yield* upstream.ask("open"), "answered")

      yield* TestClock.adjust(openTime)
      assert.strictEqual((yield* upstream.view).open.calls.failed, 10)
      assert.deepInclude(yield* upstream.circuit("open"), { _tag: "Closed" })
    }).pipe(withChance(0.5)))

  it.effect("calls that it rejects do not dilute the failure rate", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream()
      yield* times(5, upstream.ask("quote"))
      yield* times(5, upstream.ask("quote", fails))
      const rejected = yield* times(100, upstream.ask("quote"))
      assert.deepStrictEqual(new Set(rejected), new Set(["NotCalled"]))
      assert.strictEqual(upstream.attempts(), 10)
      const { window } = (yield* upstream.view).quote
      assert.deepStrictEqual(window.filter((outcome) => outcome === "failed").length, 5)

      yield* TestClock.adjust(openTime)
      yield* upstream.ask("quote")
      yield* times(9, upstream.ask("quote", fails))
      assert.deepInclude(yield* upstream.circuit("quote"), { _tag: "Closed" })
      yield* upstream.ask("quote", fails)
      assert.deepInclude(yield* upstream.circuit("quote"), { _tag: "Open" })
    }).pipe(withChance(0.5)))

  it.effect("a full bulkhead is no failure", function* () {
    const upstream = yield* guardedUpstream(guardLayer(impatientKnobs))
    const { bulkhead } = defaultKnobs.groups.open
    yield* times(bulkhead, begin(upstream.ask("open", after("10 seconds"))))
    const rejected = yield* times(50, upstream.ask("open"))
    assert.deepStrictEqual(new Set(rejected), new Set(["NotCalled"]))

    assert.deepInclude(yield* upstream.circuit("open"), { _tag: "Closed" })
    yield* TestClock.adjust("10 seconds")
    const { calls, window } = (yield* upstream.view).open
    assert.deepStrictEqual(calls, { succeeded: 16, refused: 0, failed: 0, cancelled: 0, rejected: 50 })
    assert.deepStrictEqual(new Set(window), new Set(["succeeded"]))
  })

  it.effect("old failures no longer count after a long idle time", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(4, upstream.ask("open", fails))
    yield* TestClock.adjust(idleTimeToLive)
    yield* times(4, upstream.ask("open", fails))
    assert.deepInclude(yield* upstream.circuit("open"), { _tag: "Closed" })
    yield* upstream.ask("open", fails)
    assert.deepInclude(yield* upstream.circuit("open"), { _tag: "Open" })
  })

  it.effect("failures still count after a shorter idle time", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(4, upstream.ask("open", fails))
    yield* TestClock.adjust(Duration.subtract(idleTimeToLive, Duration.seconds(1)))
    yield* upstream.ask("open", fails)
    assert.deepInclude(yield* upstream.circuit("open"), { _tag: "Open" })
  })
})
