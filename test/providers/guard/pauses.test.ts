import { assert, describe, it, TestClock } from "../support.ts"
import { Array, Effect } from "effect"
import { after, guardedUpstream, shuts } from "./support.ts"

describe("an operation that its upstream has shut", () => {
  it.effect("is left alone from the first such answer until it is open again, and says for how long", function* () {
    const upstream = yield* guardedUpstream()
    assert.strictEqual(yield* upstream.ask("quote", shuts(300)), "RateLimited")
    yield* TestClock.adjust("1 second")
    assert.deepInclude(yield* upstream.reasonOf("quote"), { _tag: "NotCalled", retryAfterSeconds: 299 })
    yield* TestClock.adjust("298999 millis")
    assert.strictEqual(yield* upstream.ask("quote"), "NotCalled")
    assert.strictEqual(upstream.attempts(), 1)
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* upstream.ask("quote"), "answered")
  })

  it.effect("takes no other along, neither of its group nor of another, and opens no circuit", function* () {
    const upstream = yield* guardedUpstream()
    yield* Effect.all(Array.makeBy(40, () => upstream.ask("quote", after("1 second", shuts(300)))), {
      concurrency: 40,
    }).pipe(Effect.forkChild, Effect.andThen(TestClock.adjust("1 second")))
    assert.strictEqual((yield* upstream.circuit("quote"))._tag, "Closed")
    for (const other of ["assets", "open", "status", "node", "treasury"] as const) {
      assert.strictEqual(yield* upstream.ask(other), "answered")
    }
    const { calls, lastError } = (yield* upstream.view).quote
    assert.strictEqual(calls.failed + calls.rejected, 40)
    assert.strictEqual(lastError?.reason, "RateLimited")
  })

  it.effect("rests no longer than an upstream may ask for", function* () {
    const upstream = yield* guardedUpstream()
    yield* upstream.ask("status", shuts(86_400))
    yield* TestClock.adjust("10 minutes")
    assert.strictEqual(yield* upstream.ask("status"), "answered")
  })
})
