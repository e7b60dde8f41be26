import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { begin, reasons } from "#test/providers/guard/support.ts"
import { after, quotes, quotingOver, says } from "./quotingOver.ts"
import { first, second } from "./support.ts"

describe("how long an answer is shared", () => {
  it.effect("is not said to who called a provider, but to those who come after", function* () {
    const { sharedUntil } = yield* quotingOver([says("first", quotes(first, 5n))])
    assert.isUndefined(yield* sharedUntil)
    assert.strictEqual(yield* sharedUntil, 1_000)
    yield* TestClock.adjust("999 millis")
    assert.strictEqual(yield* sharedUntil, 1_000)
    yield* TestClock.adjust("1 millis")
    assert.isUndefined(yield* sharedUntil)
  })

  it.effect("ends with the first of the answers that it is made of", function* () {
    const { sharedUntil } = yield* quotingOver([
      says("first", quotes(first, 5n)),
      says("second", after(200)(quotes(second, 7n))),
    ])
    const asking = yield* begin(sharedUntil)
    yield* TestClock.adjust("200 millis")
    yield* Fiber.join(asking)
    assert.strictEqual(yield* sharedUntil, 1_000)
  })

  it.effect("is nothing where a provider has failed, or is still called", function* () {
    const failing = yield* quotingOver([
      says("first", quotes(first, 5n)),
      says("second", Effect.fail(reasons.UpstreamFailed)),
    ])
    yield* failing.sharedUntil
    assert.isUndefined(yield* failing.sharedUntil)
    const late = yield* quotingOver([says("first", quotes(first, 5n)), says("second", Effect.never)])
    for (const _ of [1, 2]) {
      const asking = yield* begin(late.sharedUntil)
      yield* TestClock.adjust("400 millis")
      assert.isUndefined(yield* Fiber.join(asking))
    }
  })
})
