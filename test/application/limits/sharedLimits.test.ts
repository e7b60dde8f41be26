import { assert, describe, it } from "#test/support/it.ts"
import { Array, Context, Duration, Effect, Layer, Schema } from "effect"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { TestClock } from "effect/testing"
import type { RateLimiter as Limiter } from "#application/limits/RateLimits.ts"
import { sharedLimits } from "#application/limits/sharedLimits.ts"
import { type Connection, sharedStore } from "#application/limits/SharedStore.ts"

type Store = RateLimiter.RateLimiterStore["Service"]

const quotas = { default: { tokens: 60, windowMillis: 60_000 }, swap: { tokens: 5, windowMillis: 60_000 } }

/** A store of limits that can be away, and how often it was asked. */
const limitStore = Effect.gen(function* () {
  const context = yield* Layer.build(RateLimiter.layerStoreMemory)
  const store = Context.get(context, RateLimiter.RateLimiterStore)
  let isAway = false
  let asked = 0
  const limits: Store = {
    ...store,
    tokenBucket: (options) =>
      Effect.suspend(() => {
        asked += 1
        return isAway ? Effect.never : store.tokenBucket(options)
      }),
  }
  const connect = Effect.suspend(() =>
    isAway
      ? Effect.fail(new Error("refused"))
      : Effect.succeed<Connection<{ readonly limits: Store }>>({ store: { limits }, lost: Effect.never })
  )
  return {
    connect,
    asked: () => asked,
    setAway: (away: boolean) => {
      isAway = away
    },
  }
})

const patience = Duration.millis(250)
const rest = Duration.seconds(2)

/** The limits of one replica over such a store. */
const replicaOf = Effect.fnUntraced(function* ({ connect }: Effect.Success<typeof limitStore>) {
  return yield* sharedLimits(yield* sharedStore({ name: "the store", connect, patience, rest }), quotas)
})

const two = Effect.gen(function* () {
  const store = yield* limitStore
  return { store, one: yield* replicaOf(store), other: yield* replicaOf(store) }
})

/** How many of so many requests of a key are admitted at once. */
const admitted = ({ take }: Limiter, count: number, subject = "key"): number =>
  Array.makeBy(count, () => take("swap", subject)?.isAdmitted).filter((isAdmitted) => isAdmitted === true)
    .length

/** Long enough for every replica to tell what was taken. */
const told = TestClock.adjust("150 millis")

describe("limits that replicas share", () => {
  it.effect("are told of what one took before the next may take it", function* () {
    const { one, other } = yield* two
    assert.strictEqual(admitted(one, 4), 4)
    yield* told
    assert.strictEqual(admitted(other, 1), 1)
    yield* told
    assert.strictEqual(admitted(other, 5), 0)
    assert.strictEqual(admitted(one, 5, "another key"), 5)
    assert.strictEqual(other.take("swap", "key")?.left, 0)
  })

  it.effect("turn what was taken at the same moment into a debt that all wait for", function* () {
    const { one, other } = yield* two
    assert.strictEqual(admitted(one, 9) + admitted(other, 9), 10)
    yield* told
    // Five tokens too many, and the next, at twelve seconds each; the one who told first knows less.
    assert.strictEqual(other.take("swap", "key")?.seconds, 72)
    yield* TestClock.adjust("71 seconds")
    assert.strictEqual(admitted(other, 1), 0)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(admitted(other, 2), 1)
  })

  it.effect("give back what turned out to count as nothing", function* () {
    const { one, other } = yield* two
    assert.strictEqual(admitted(one, 5), 5)
    one.giveBack("swap", "key")
    yield* told
    assert.strictEqual(admitted(other, 1), 1)
    yield* told
    assert.strictEqual(admitted(other, 5), 0)
  })

  it.effect("ask the store once for all that a key took, and not at all while nothing is taken", function* () {
    const { store, one } = yield* two
    for (let count = 0; count < 50; count++) one.take("default", "key")
    yield* told
    assert.strictEqual(store.asked(), 1)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(store.asked(), 1)
  })

  it.effect("are each one's own while the store is away, and shared again afterwards", function* () {
    const { store, one, other } = yield* two
    store.setAway(true)
    assert.strictEqual(admitted(one, 9), 5)
    assert.strictEqual(admitted(other, 9), 5)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(admitted(one, 9), 0)
    yield* TestClock.adjust("59 seconds")
    assert.strictEqual(admitted(one, 4), 4)

    store.setAway(false)
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(admitted(other, 5), 5)
    yield* told
    assert.strictEqual(admitted(one, 1), 1)
    yield* told
    assert.strictEqual(admitted(one, 5), 0)
  })

  it.effect("hold nobody up while the store is silent", function* () {
    const { store, one } = yield* two
    store.setAway(true)
    const before = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    assert.strictEqual(admitted(one, 3), 3)
    yield* TestClock.adjust("110 millis")
    assert.strictEqual(admitted(one, 3), 2)
    assert.strictEqual((yield* Effect.clockWith((clock) => clock.currentTimeMillis)) - before, 110)
  })

  const Waits = Schema.Array(Schema.Tuple([
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })),
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 900 })),
  ])).check(Schema.isMinLength(40), Schema.isMaxLength(120))

  it.effect.prop(
    "admit at three replicas together, over time, what one would and a bucketful for each other one",
    [Waits],
    ([waits]) =>
      Effect.gen(function* () {
        const store = yield* limitStore
        const replicas = yield* Effect.all(Array.makeBy(3, () => replicaOf(store)))
        let millis = 0
        let count = 0
        for (const [index, wait] of waits) {
          const replica = replicas[index]
          if (replica !== undefined) count += admitted(replica, 3)
          yield* TestClock.adjust(wait)
          millis += wait
          assert.isAtMost(
            count,
            3 * quotas.swap.tokens + (millis * quotas.swap.tokens) / quotas.swap.windowMillis,
          )
        }
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 30, seed: "replicas" } },
  )
})
