import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { AccountId } from "#domain/accounts/Account.ts"
import { KeyId } from "#domain/accounts/Key.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { endings, makeSessions } from "#interfaces/mcp/sessions.ts"

const holder = (account: number, letter = "a") => ({
  account: AccountId.make(account),
  keyId: KeyId.make(letter.repeat(16)),
})

const limits = { most: 4, mostOfAccount: 3, idle: Duration.seconds(10) }

describe("sessions", () => {
  it("are used by their own key until they are idle", () => {
    const sessions = makeSessions(limits)
    sessions.add("one", holder(1), 0)
    assert.isTrue(sessions.use("one", holder(1), 9_999))
    assert.isTrue(sessions.use("one", holder(1), 19_998))
    assert.isFalse(sessions.use("one", holder(1, "b"), 19_999))
    assert.isFalse(sessions.use("one", holder(1), 29_998))
    assert.isFalse(sessions.use("other", holder(1), 0))
  })

  it("are ended when they are idle, and only then", () => {
    const sessions = makeSessions(limits)
    sessions.add("one", holder(1), 0)
    sessions.add("two", holder(1), 5_000)
    assert.deepStrictEqual(sessions.removeIdle(9_999), [])
    assert.deepStrictEqual(sessions.removeIdle(10_000), ["one"])
    assert.strictEqual(sessions.count(), 1)
  })

  it("make room for another of the same account", () => {
    const sessions = makeSessions(limits)
    for (const [at, id] of ["one", "two", "three"].entries()) sessions.add(id, holder(1), at)
    sessions.use("one", holder(1), 5)
    assert.deepStrictEqual(sessions.add("four", holder(1), 6), ["two"])
    assert.strictEqual(sessions.count(), 3)
  })

  it("make room for another account where one has most of all", () => {
    const sessions = makeSessions(limits)
    sessions.add("other", holder(2), 0)
    for (const [at, id] of ["one", "two", "three"].entries()) sessions.add(id, holder(1), at + 1)
    assert.deepStrictEqual(sessions.add("third", holder(3), 9), ["one"])
    assert.isTrue(sessions.use("other", holder(2), 9))
    assert.strictEqual(sessions.count(), 4)
  })

  /** Sessions of two keys, one of which counts no more, and what was ended in the library. */
  const withOneGone = (answers = true) => {
    const sessions = makeSessions(limits)
    sessions.add("one", holder(1), 0)
    sessions.add("two", holder(1), 0)
    sessions.add("three", holder(2, "b"), 0)
    const ended: Array<string> = []
    const asked: Array<KeyId> = []
    const ends = endings(sessions, {
      end: (ids) => Effect.sync(() => void ended.push(...ids)),
      withoutMcp: (keys) =>
        Effect.suspend(() => {
          asked.push(...keys)
          const gone = keys.filter((key) => key === holder(1).keyId)
          return answers
            ? Effect.succeed(gone)
            : Effect.fail(new StoreUnavailable({ operation: "Keys.withoutMcp", cause: "a test" }))
        }),
    })
    return { asked, ended, ends, sessions }
  }

  it.effect("are ended with their key where somebody who names them is turned away, all of that key", function* () {
    const { asked, ended, ends, sessions } = withOneGone()
    yield* ends.turnedAway(undefined)
    yield* ends.turnedAway("of nobody")
    assert.deepStrictEqual(asked, [])
    yield* ends.turnedAway("three")
    assert.deepStrictEqual(ended, [])
    yield* ends.turnedAway("two")
    assert.deepStrictEqual(ended, ["one", "two"])
    assert.strictEqual(sessions.count(), 1)
    assert.isTrue(sessions.use("three", holder(2, "b"), 1))
  })

  it.effect("are ended with their key though nobody asks, and not while the database is away", function* () {
    const away = withOneGone(false)
    yield* away.ends.sweep
    assert.strictEqual(away.sessions.count(), 3)
    const { ended, ends, sessions } = withOneGone()
    yield* ends.sweep
    assert.deepStrictEqual(ended, ["one", "two"])
    yield* TestClock.adjust("10 seconds")
    yield* ends.sweep
    assert.deepStrictEqual(ended, ["one", "two", "three"])
    assert.strictEqual(sessions.count(), 0)
  })
})
