import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeKeyUses } from "#application/accounts/Accounts.ts"
import { KeyId } from "#domain/accounts/Key.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { CallersRepo } from "#infrastructure/store/accounts/CallersRepo.ts"

const [one, other] = [KeyId.make("aaaaaaaaaaaaaaaa"), KeyId.make("bbbbbbbbbbbbbbbb")]
const at = (millis: number) => EpochMillis.make(millis)

/** A database that remembers what it was told, and can be away. */
const setUp = Effect.gen(function* () {
  const state = { away: false }
  const written: Array<ReadonlyArray<readonly [KeyId, EpochMillis]>> = []
  const repo = Layer.mock(CallersRepo, {
    used: (uses) =>
      Effect.suspend(() => {
        written.push([...uses])
        return state.away
          ? Effect.fail(new StoreUnavailable({ operation: "Callers.used", cause: "away" }))
          : Effect.void
      }),
  })
  const used = yield* Effect.provide(Effect.flatMap(CallersRepo, makeKeyUses), repo)
  return { state, written, used }
})

describe("the uses of keys", () => {
  it.effect("are written in the background, all at once, each with its latest time", function* () {
    const { used, written } = yield* setUp
    used(one, at(1))
    used(other, at(2))
    used(one, at(3))
    assert.deepStrictEqual(written, [])
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(written, [[[one, at(3)], [other, at(2)]]])
  })

  it.effect("cost the database nothing while there are none", function* () {
    const { written } = yield* setUp
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(written, [])
  })

  it.effect("go on being written after the database was away", function* () {
    const { state, used, written } = yield* setUp
    state.away = true
    used(one, at(1))
    yield* TestClock.adjust("10 seconds")
    state.away = false
    used(other, at(2))
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(written, [[[one, at(1)]], [[other, at(2)]]])
  })
})
