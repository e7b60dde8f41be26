import { assert, describe, it, TestClock } from "../support.ts"
import { Effect, Fiber } from "effect"
import { ScriptedProvider } from "#test/support/provider.ts"
import { Guard } from "#providers/guard/Guard.ts"
import { begin, cut, fails, guardedUpstream, guardLayer, times, withChance } from "./support.ts"

describe("payloads behind a guard", () => {
  it.effect("are asked for once, however the connection fails", function* () {
    const upstream = yield* guardedUpstream()
    assert.strictEqual(yield* upstream.ask("encode", cut()), "Unreachable")
    assert.strictEqual(upstream.attempts(), 1)
  })

  it.effect("share the circuit and the figures of openings", function* () {
    const upstream = yield* guardedUpstream()
    yield* times(3, upstream.ask("encode", fails))
    yield* times(2, upstream.ask("open", fails))
    assert.strictEqual((yield* upstream.circuit("open"))._tag, "Open")
    assert.strictEqual(yield* upstream.ask("encode"), "NotCalled")
    assert.strictEqual(yield* upstream.ask("open"), "NotCalled")
    assert.strictEqual(yield* upstream.ask("quote"), "answered")
    assert.deepInclude((yield* upstream.view).open.calls, { failed: 5 })
  })

  for (const asked of ["vaultSwapStatus", "transaction"] as const) {
    it.effect(`are found and followed as swaps with a channel are, with two more tries: ${asked}`, () =>
      Effect.gen(function* () {
        const upstream = yield* guardedUpstream()
        const call = yield* begin(upstream.ask(asked, cut()))
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(yield* Fiber.join(call), "Unreachable")
        assert.strictEqual(upstream.attempts(), 3)
        assert.deepInclude((yield* upstream.view).status.calls, { failed: 1 })
      }).pipe(withChance(0.5)))
  }

  it.effect("are not made up for a provider that has none", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const guarded = guard.wrap(new ScriptedProvider("upstream"))
      assert.isUndefined(guarded.vaultSwaps)
      assert.isUndefined(guarded.channels?.findTransaction)
    }).pipe(Effect.provide(guardLayer())))
})
