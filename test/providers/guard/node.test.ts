import { assert, describe, it, TestClock } from "../support.ts"
import { Effect, Fiber } from "effect"
import { Guard } from "#providers/guard/Guard.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { begin, cut, fails, guardedUpstream, guardLayer, times, withChance } from "./support.ts"

describe("calls of a node behind a guard", () => {
  it.effect("are tried once more where the connection fails", () =>
    Effect.gen(function* () {
      const upstream = yield* guardedUpstream()
      const call = yield* begin(upstream.ask("node", cut()))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* Fiber.join(call), "Unreachable")
      assert.strictEqual(upstream.attempts(), 2)
    }).pipe(withChance(0.5)))

  it.effect("are given up in time", function* () {
    const upstream = yield* guardedUpstream()
    const call = yield* begin(upstream.ask("node", Effect.never))
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual(yield* Fiber.join(call), "TimedOut")
  })

  it.effect("have a circuit of their own, for which an error of the node is no failure", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(10, upstream.ask("node"))
    assert.deepInclude((yield* upstream.view).node.calls, { succeeded: 10, failed: 0 })
    yield* times(10, upstream.ask("node", fails))
    assert.strictEqual((yield* upstream.circuit("node"))._tag, "Open")
    assert.strictEqual(yield* upstream.ask("node"), "NotCalled")
    assert.strictEqual(yield* upstream.ask("quote"), "answered")
    assert.strictEqual(yield* upstream.ask("open"), "answered")
  })

  it.effect("take no place from quotes, however many hang", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(200, begin(upstream.ask("node", Effect.never)))
    assert.strictEqual(yield* upstream.ask("quote"), "answered")
    assert.deepInclude((yield* upstream.view).quote.calls, { rejected: 0 })
  })

  it.effect("are not made up for a provider that has none", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      assert.isUndefined(guard.wrap(new ScriptedProvider("upstream")).node)
    }).pipe(Effect.provide(guardLayer())))
})
