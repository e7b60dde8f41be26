import { assert, describe, it } from "#test/support/it.ts"
import { Array as Arrays, Duration, Effect, Fiber, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { hashKey, newKeyId, newKeyWithoutMac } from "#application/accounts/ApiKey.ts"
import { makeAuthenticate, makeKnownKeys } from "#application/accounts/Accounts.ts"
import type { KeyId } from "#domain/accounts/Key.ts"
import { EpochMillis } from "#domain/Time.ts"
import { CallersRepo, type KeyMatch } from "#infrastructure/store/accounts/CallersRepo.ts"
import { callerWith } from "#test/support/account.ts"

const key = newKeyWithoutMac(newKeyId())
const caller = callerWith()

/** A database with that one key, which takes its time; what it was asked and told. */
const setUp = (changes: Partial<KeyMatch> = {}) => {
  const state = { lookups: 0, takes: [Duration.zero], revoked: false }
  const used: Array<readonly [KeyId, EpochMillis]> = []
  const callers = CallersRepo.of({
    byKeyHash: (keyHash) =>
      Effect.suspend(() => {
        const found = state.revoked ? Option.none() : Option.some({ caller, keyHash, ...changes })
        return Effect.as(Effect.sleep(state.takes[state.lookups++] ?? Duration.zero), found)
      }),
    used: () => Effect.die("is not asked for"),
  })
  const known = makeKnownKeys()
  const authenticate = makeAuthenticate({
    callers,
    known,
    used: (id, at) => void used.push([id, at]),
  })
  return { state, used, known, authenticate }
}

/** What becomes of an effect, the clock going as far as it needs. */
const within = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
    yield* TestClock.adjust("10 seconds")
    return yield* Fiber.join(fiber)
  })

describe("authentication", () => {
  it.effect("asks the database every 900 ms for a key that calls again and again", function* () {
    const { authenticate, state } = setUp()
    for (let call = 0; call < 100; call++) {
      assert.deepStrictEqual(yield* authenticate(key), Option.some(caller))
      yield* TestClock.adjust("50 millis")
    }
    assert.strictEqual(state.lookups, 6)
  })

  it.effect("asks the database once for many who call at the same time", function* () {
    const { authenticate, state } = setUp()
    state.takes = [Duration.millis(50)]
    const found = yield* within(Effect.all(Arrays.makeBy(100, () => authenticate(key)), { concurrency: 100 }))
    assert.deepStrictEqual(found, Arrays.makeBy(100, () => Option.some(caller)))
    assert.strictEqual(state.lookups, 1)
  })

  it.effect("asks again for who came after a change, and for who waited for one that hung up", function* () {
    const { authenticate, known, state } = setUp()
    state.takes = [Duration.millis(50), Duration.millis(50), Duration.millis(50)]
    const now = { startImmediately: true } as const
    const before = yield* Effect.forkChild(authenticate(key), now)
    known.forget()
    state.revoked = true
    const after = yield* Effect.forkChild(authenticate(key), now)
    yield* TestClock.adjust("50 millis")
    assert.isTrue(Option.isSome(yield* Fiber.join(before)))
    assert.isTrue(Option.isNone(yield* Fiber.join(after)))

    state.revoked = false
    const first = yield* Effect.forkChild(authenticate(key), now)
    const second = yield* Effect.forkChild(authenticate(key), now)
    yield* Fiber.interrupt(first)
    assert.isTrue(Option.isSome(yield* within(Fiber.join(second))))
  })

  it.effect("refuses a key with a wrong checksum, or a short one, without asking the database", function* () {
    const { authenticate, state } = setUp()
    const text = Redacted.value(key)
    const wrong = `${text.slice(0, -1)}${text.endsWith("a") ? "b" : "a"}`
    for (const refused of [wrong, text.slice(0, -1), "sbk_", "", "short", "x".repeat(23)]) {
      assert.deepStrictEqual(yield* authenticate(Redacted.make(refused)), Option.none())
    }
    assert.strictEqual(state.lookups, 0)
    yield* authenticate(Redacted.make("x".repeat(24)))
    assert.strictEqual(state.lookups, 1)
  })

  it.effect("refuses a hash that is not the one it looked for", function* () {
    const { authenticate } = setUp({ keyHash: hashKey(Redacted.make("another")) })
    assert.deepStrictEqual(yield* authenticate(key), Option.none())
  })

  it.effect("takes a key until it expires, to the millisecond", function* () {
    const { authenticate } = setUp({ expiresAt: EpochMillis.make(1_500) })
    yield* TestClock.setTime(900)
    assert.isTrue(Option.isSome(yield* authenticate(key)))
    yield* TestClock.setTime(1_499)
    assert.isTrue(Option.isSome(yield* authenticate(key)))
    yield* TestClock.setTime(1_500)
    assert.isTrue(Option.isNone(yield* authenticate(key)))
  })

  it.effect("tells when a key was used, no oftener than the database is asked", function* () {
    const { authenticate, used } = setUp()
    yield* TestClock.setTime(5_000)
    yield* authenticate(key)
    yield* authenticate(key)
    yield* TestClock.setTime(6_000)
    yield* authenticate(key)
    assert.deepStrictEqual(used, [[caller.keyId, EpochMillis.make(5_000)], [
      caller.keyId,
      EpochMillis.make(6_000),
    ]])
  })

  it.effect("does not take an answer that is a second old: the key may have been revoked since", function* () {
    const { authenticate, state } = setUp()
    state.takes = [Duration.seconds(1)]
    const fiber = yield* Effect.forkChild(authenticate(key), { startImmediately: true })
    state.revoked = true
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* Fiber.join(fiber), Option.none())
    assert.strictEqual(state.lookups, 2)
  })

  it.effect("takes what another look-up has found meanwhile, where its own takes too long", function* () {
    const { authenticate, known, state } = setUp()
    state.takes = [Duration.millis(1_200), Duration.millis(500)]
    const slow = yield* Effect.forkChild(authenticate(key), { startImmediately: true })
    yield* TestClock.adjust("400 millis")
    // Else it would wait for the slow one.
    known.forget()
    const quick = yield* Effect.forkChild(authenticate(key), { startImmediately: true })
    yield* TestClock.adjust("800 millis")
    assert.isTrue(Option.isSome(yield* Fiber.join(quick)))
    assert.isTrue(Option.isSome(yield* Fiber.join(slow)))
    assert.strictEqual(state.lookups, 2)
  })

  it.effect("gives up on a database that is that slow time and again", function* () {
    const { authenticate, state } = setUp()
    state.takes = Array.from({ length: 9 }, () => Duration.millis(1_200))
    const error = yield* Effect.flip(within(authenticate(key)))
    assert.strictEqual(error._tag, "StoreUnavailable")
    assert.strictEqual(state.lookups, 3)
    state.takes = [Duration.zero, Duration.zero, Duration.zero, Duration.millis(999)]
    assert.isTrue(Option.isSome(yield* within(authenticate(key))))
  })
})
