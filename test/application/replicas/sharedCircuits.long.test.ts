import { assert, describe, it } from "#test/support/it.ts"
import { Context, Deferred, Duration, Effect, Fiber, Layer, Metric } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { TestClock } from "effect/testing"
import { sharedCircuits } from "#application/replicas/sharedCircuits.ts"
import { type Connection, sharedStore } from "#application/limits/SharedStore.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { CircuitScope } from "#infrastructure/platform/CircuitScope.ts"
import {
  after,
  begin,
  defaultKnobs,
  fails,
  guardedUpstream,
  guardLayer,
  settle,
  times,
} from "#test/providers/guard/support.ts"
import { collectLogs } from "#test/support/collectLogs.ts"

const patience = Duration.millis(250)
const rest = Duration.seconds(2)

const memory = Effect.map(
  Layer.build(CircuitBreaker.layerStoreMemory()),
  (context) => Context.get(context, CircuitBreaker.CircuitBreakerStore),
)

/** What becomes of everything that the shared store is asked. */
type Trouble = "none" | "silent" | "slow" | "failing" | "dying"

/** A shared store whose answers and connection go as a test wants them to. */
const troubledStore = Effect.gen(function* () {
  const store = yield* memory
  let trouble: Trouble = "none"
  let refusesConnections = false
  let asked = 0
  let connections = 0
  let cut = Deferred.makeUnsafe<string>()

  const through = <A, E, R>(answer: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | CircuitBreaker.CircuitBreakerError, R> => {
      asked += 1
      return {
        none: answer,
        silent: Effect.never,
        slow: Effect.delay(answer, "1 second"),
        failing: Effect.fail(
          new CircuitBreaker.CircuitBreakerError({
            reason: new CircuitBreaker.CircuitBreakerStoreError({
              message: "Failed to run a script",
              cause: new Error("READONLY You can't write against a read only replica"),
            }),
          }),
        ),
        dying: Effect.die(new TypeError("no answer that fits")),
      }[trouble]
    })

  const connect = Effect.suspend(() => {
    connections += 1
    if (refusesConnections) return Effect.fail(new Error("outer", { cause: new Error("refused") }))
    cut = Deferred.makeUnsafe<string>()
    return Effect.succeed<Connection<{ readonly circuits: typeof store }>>({
      store: {
        circuits: {
          admit: (key) => through(store.admit(key)),
          record: (outcome) => through(store.record(outcome)),
          state: (key) => through(store.state(key)),
        },
      },
      lost: Deferred.await(cut),
    })
  })

  return {
    store,
    connect,
    misbehave: (wanted: Trouble) => {
      trouble = wanted
    },
    refuseConnections: (refuses: boolean) => {
      refusesConnections = refuses
    },
    cut: (why: string) => Deferred.doneUnsafe(cut, Effect.succeed(why)),
    asked: () => asked,
    connections: () => connections,
  }
})

/** An upstream behind a guard over such a store. */
const upstreamOver = Effect.fnUntraced(function* (
  { connect }: Effect.Success<typeof troubledStore>,
  waits = patience,
) {
  const shared = yield* sharedStore({ name: "the store", connect, patience: waits, rest })
  const context = sharedCircuits(shared, yield* memory)
  const upstream = yield* guardedUpstream(guardLayer(defaultKnobs, Layer.succeedContext(context)))
  return { ...upstream, sharing: Context.get(context, CircuitScope).current }
})

const begun = Effect.gen(function* () {
  const shared = yield* troubledStore
  return { shared, upstream: yield* upstreamOver(shared) }
})

const isShared = Effect.map(Metric.value(metrics.circuitsShared), ({ value }) => value)

const shown = Effect.map(
  Metric.value(metrics.circuitState({ provider: "upstream", operation: "open" })),
  ({ value }) => ["Closed", "HalfOpen", "Open"][value],
)

const whys: ReadonlyArray<readonly [Trouble, string]> = [
  ["silent", "no answer within 250ms"],
  ["failing", "READONLY You can't write against a read only replica"],
  ["dying", "no answer that fits"],
]

describe("circuits that are shared", () => {
  it.effect("are those of the shared store, and the operator is told so", function* () {
    const { shared, upstream } = yield* begun
    assert.deepStrictEqual(yield* upstream.sharing, { scope: "shared" })
    yield* times(5, upstream.ask("open", fails))
    assert.strictEqual((yield* shared.store.state("upstream/open"))._tag, "Open")
    assert.strictEqual((yield* upstream.circuit("open"))._tag, "Open")
    assert.strictEqual(yield* upstream.ask("open"), "NotCalled")
    assert.strictEqual(yield* isShared, 1)
  })

  for (const [trouble, why] of whys) {
    it.effect(`do not keep a call from being made, once, while the store is ${trouble}`, function* () {
      const { shared, upstream } = yield* begun
      shared.misbehave(trouble)
      const call = yield* begin(upstream.ask("open"))
      yield* TestClock.adjust(patience)
      assert.strictEqual(yield* Fiber.join(call), "answered")
      assert.strictEqual(upstream.attempts(), 1)

      const asked = shared.asked()
      assert.strictEqual(yield* upstream.ask("open", fails), "UpstreamFailed")
      assert.strictEqual(upstream.attempts(), 2)
      assert.strictEqual(shared.asked(), asked, "nobody asks again")
    })

    it.effect(`are this process's own, and protect, while the store is ${trouble}`, function* () {
      const { shared, upstream } = yield* begun
      shared.misbehave(trouble)
      yield* Effect.all([begin(upstream.ask("open", fails)), TestClock.adjust(patience)])
      yield* times(4, upstream.ask("open", fails))
      assert.strictEqual(yield* upstream.ask("open"), "NotCalled")
      assert.strictEqual((yield* upstream.circuit("open"))._tag, "Open")
      assert.deepStrictEqual(yield* upstream.sharing, {
        scope: "process",
        reason: `the store cannot be used: ${why}`,
      })
      // A silent store is away only once it might not just be slow.
      if (trouble === "silent") yield* TestClock.adjust(Duration.times(patience, 7))
      assert.strictEqual(yield* isShared, 0)
    })

    it.effect(`leave the end of a call as it is that was under way when the store was ${trouble}`, function* () {
      const { shared, upstream } = yield* begun
      const answered = yield* begin(upstream.ask("open", after("1 second")))
      const failed = yield* begin(upstream.ask("open", after("1 second", fails)))
      shared.misbehave(trouble)
      yield* TestClock.adjust(Duration.sum(Duration.seconds(1), patience))
      assert.strictEqual(yield* Fiber.join(answered), "answered")
      assert.strictEqual(yield* Fiber.join(failed), "UpstreamFailed")
      assert.strictEqual(upstream.attempts(), 2)
    })

    it.effect(`can be read, in bounded time, while the store is ${trouble}`, function* () {
      const { shared, upstream } = yield* begun
      shared.misbehave(trouble)
      const view = yield* begin(upstream.view)
      yield* TestClock.adjust(patience)
      const { quote, open, status } = yield* Fiber.join(view)
      for (const { circuit } of [quote, open, status]) assert.strictEqual(circuit._tag, "Closed")
    })
  }

  it.effect("hold nobody up who goes away while the store is silent, and no call is made for him", function* () {
    const { shared, upstream } = yield* begun
    shared.misbehave("silent")
    const call = yield* begin(upstream.ask("open"))
    const gone = yield* begin(Fiber.interrupt(call))
    yield* TestClock.adjust(patience)
    yield* Fiber.join(gone)
    assert.strictEqual(upstream.attempts(), 0)
  })

  it.effect("are shared again once a new connection is made, and what was local stays local", function* () {
    const { shared, upstream } = yield* begun
    shared.misbehave("failing")
    const late = yield* begin(upstream.ask("open", after("1 minute", fails)))
    yield* times(4, upstream.ask("open", fails))
    shared.misbehave("none")
    yield* TestClock.adjust(rest)
    assert.deepStrictEqual(yield* upstream.sharing, { scope: "shared" })
    assert.strictEqual(shared.connections(), 2)

    const asked = shared.asked()
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* Fiber.join(late), "UpstreamFailed")
    assert.strictEqual(shared.asked(), asked, "the shared store hears nothing of a local call")
    assert.strictEqual((yield* upstream.circuit("open"))._tag, "Closed")
  })

  it.effect("are this process's own from when the connection ends, before anybody has noticed", function* () {
    const { shared, upstream } = yield* begun
    shared.refuseConnections(true)
    shared.cut("the server has gone")
    yield* settle
    assert.deepStrictEqual(yield* upstream.sharing, {
      scope: "process",
      reason: "the store cannot be used: the server has gone",
    })
    yield* TestClock.adjust(rest)
    assert.deepStrictEqual(yield* upstream.sharing, {
      scope: "process",
      reason: "the store cannot be used: refused",
    })
  })

  it.effect("stay shared where only somebody's question over an earlier connection fails", function* () {
    const shared = yield* troubledStore
    const upstream = yield* upstreamOver(shared, Duration.seconds(10))
    shared.misbehave("silent")
    yield* begin(upstream.ask("open"))
    shared.misbehave("none")
    shared.cut("the server has gone")
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(shared.connections(), 2)
    assert.deepStrictEqual(yield* upstream.sharing, { scope: "shared" })
  })

  it.effect("are this process's own from the start where there is no connection", function* () {
    const shared = yield* troubledStore
    shared.refuseConnections(true)
    const upstream = yield* upstreamOver(shared)
    assert.strictEqual(yield* upstream.ask("open"), "answered")
    assert.strictEqual(shared.asked(), 0)
    assert.strictEqual((yield* upstream.sharing).scope, "process")
  })

  it.effect("are shared on after a late answer, which holds up one caller and is no outage", function* () {
    const { lines } = yield* collectLogs(Effect.scoped(Effect.gen(function* () {
      const { shared, upstream } = yield* begun
      shared.misbehave("slow")
      const late = yield* begin(upstream.ask("open"))
      yield* TestClock.adjust(patience)
      assert.strictEqual(yield* Fiber.join(late), "answered")
      const asked = shared.asked()
      yield* times(10, upstream.ask("status"))
      assert.strictEqual(shared.asked(), asked, "nobody else waits for the store meanwhile")
      assert.strictEqual((yield* upstream.sharing).scope, "process")
      shared.misbehave("none")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* upstream.sharing, { scope: "shared" })
      assert.strictEqual(yield* upstream.ask("status"), "answered")
      assert.isAbove(shared.asked(), asked)
      assert.strictEqual(shared.connections(), 1)
    })))
    assert.deepStrictEqual(lines.filter((line) => String(line).includes("cannot be used")), [])
  })

  it.effect("are told of in the log once for each change, however many calls are made", function* () {
    const { lines } = yield* collectLogs(Effect.scoped(Effect.gen(function* () {
      const { shared, upstream } = yield* begun
      shared.misbehave("failing")
      shared.refuseConnections(true)
      const late = yield* begin(upstream.ask("open", after("1 second")))
      yield* times(50, upstream.ask("status"))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(late)
      yield* times(50, upstream.ask("status"))
      shared.misbehave("none")
      shared.refuseConnections(false)
      yield* TestClock.adjust(rest)
      yield* times(50, upstream.ask("status"))
    })))
    const away =
      "the store cannot be used: READONLY You can't write against a read only replica. Until it can, " +
      "circuits, rate limits and explanations of quotes are this process's own"
    const back = "Circuits, rate limits and explanations of quotes are shared through the store"
    assert.deepStrictEqual(lines, [back, away, back])
  })

  it.effect("say no more than whether the call may be made where the shared store refuses it", function* () {
    const { shared, upstream } = yield* begun
    yield* times(5, upstream.ask("open", fails))
    assert.deepInclude(yield* upstream.reasonOf("open"), { _tag: "NotCalled" })
    yield* TestClock.adjust("6 seconds")
    yield* begin(upstream.ask("open", Effect.never))
    assert.deepInclude(yield* upstream.reasonOf("open"), { _tag: "NotCalled", retryAfterSeconds: 1 })
    assert.strictEqual(shared.connections(), 1)
    assert.deepStrictEqual(yield* upstream.sharing, { scope: "shared" })
  })

  it.effect("are followed by the gauge, whoever has moved them and whichever store they are in", function* () {
    const { shared, upstream } = yield* begun
    const elsewhere = Effect.provideService(Metric.MetricRegistry, new Map())
    const other = yield* elsewhere(upstreamOver(shared))
    const shows = (ask: Effect.Effect<unknown>) => Effect.andThen(Effect.andThen(ask, settle), shown)
    assert.strictEqual(yield* shows(upstream.ask("open")), "Closed")
    yield* elsewhere(times(5, other.ask("open", fails)))
    assert.strictEqual(yield* shown, "Closed")
    assert.strictEqual(yield* shows(upstream.ask("open")), "Open")

    yield* TestClock.adjust("6 seconds")
    const probe = yield* begin(elsewhere(other.ask("open", after("1 second"))))
    assert.strictEqual(yield* shows(upstream.ask("open")), "HalfOpen")
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(probe)
    assert.strictEqual(yield* shows(upstream.ask("open")), "Closed")

    yield* times(5, upstream.ask("open", fails))
    assert.strictEqual(yield* shows(upstream.ask("open")), "Open")
    shared.misbehave("failing")
    assert.strictEqual(yield* shows(upstream.ask("open")), "Closed")
  })
})
