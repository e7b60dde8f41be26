import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { RateLimits } from "#application/limits/RateLimits.ts"

const quotas = { default: { tokens: 60, windowMillis: 60_000 }, swap: { tokens: 2, windowMillis: 60_000 } }

const limits = Effect.flatMap(
  Layer.build(RateLimits.layer(quotas)),
  (context) => Effect.provideContext(RateLimits, context),
)

describe("the limits of API keys", () => {
  it.effect("admit a key's requests until its quota is used up, and again as time passes", function* () {
    const { take } = yield* limits
    const quota = quotas.swap
    const limit = "swap"
    assert.deepStrictEqual(take("swap", "key"), { limit, quota, isAdmitted: true, left: 1, seconds: 30 })
    assert.deepStrictEqual(take("swap", "key"), { limit, quota, isAdmitted: true, left: 0, seconds: 30 })
    assert.deepStrictEqual(take("swap", "key"), { limit, quota, isAdmitted: false, left: 0, seconds: 30 })
    yield* TestClock.adjust("29500 millis")
    assert.deepStrictEqual(take("swap", "key"), { limit, quota, isAdmitted: false, left: 0, seconds: 1 })
    yield* TestClock.adjust("500 millis")
    assert.deepStrictEqual(take("swap", "key"), { limit, quota, isAdmitted: true, left: 0, seconds: 30 })
  })

  it.effect("are each key's own, and apart for what opens swaps", function* () {
    const { take } = yield* limits
    for (let count = 0; count < 3; count++) take("swap", "key")
    assert.isFalse(take("swap", "key")?.isAdmitted)
    assert.isTrue(take("swap", "other")?.isAdmitted)
    assert.isTrue(take("default", "key")?.isAdmitted)
  })

  it.effect("say nothing, and refuse nobody, where there is none", function* () {
    const { take, giveBack, correct } = yield* limits
    for (let count = 0; count < 1_000; count++) assert.isUndefined(take("credentials", "address"))
    giveBack("credentials", "address")
    correct("credentials", "address", -1)
    assert.isUndefined(take("credentials", "address"))
  })

  it.effect("take tokens back, and hold no more than all of them", function* () {
    const { take, giveBack } = yield* limits
    take("swap", "key")
    take("swap", "key")
    for (let count = 0; count < 5; count++) giveBack("swap", "key")
    giveBack("swap", "nobody")
    assert.deepInclude(take("swap", "key"), { left: 1 })
    assert.deepInclude(take("swap", "nobody"), { left: 1 })
  })

  it.effect("can be corrected by who knows more, for those that have a bucket", function* () {
    const { take, correct } = yield* limits
    take("swap", "key")
    correct("swap", "key", -1)
    correct("swap", "nobody", -1)
    assert.deepInclude(take("swap", "key"), { isAdmitted: false, seconds: 60 })
    assert.isTrue(take("swap", "nobody")?.isAdmitted)
  })
})
