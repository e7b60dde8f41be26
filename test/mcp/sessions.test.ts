import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { KeyId } from "../../src/domain/Key.ts"
import { makeSessions } from "../../src/mcp/sessions.ts"

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
})
