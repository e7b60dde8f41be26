import { assert, describe, it } from "@effect/vitest"
import { makeKnownKeys } from "#application/accounts/Accounts.ts"
import { EpochMillis } from "#domain/Time.ts"
import { callerWith } from "#test/support/account.ts"

const hash = (fill: number) => new Uint8Array(32).fill(fill)
const caller = callerWith()
const match = { caller, keyHash: hash(1) }
const at = (millis: number) => EpochMillis.make(millis)

describe("CallerCache", () => {
  it("know a key for 900 ms from when the database was asked", () => {
    const known = makeKnownKeys()
    known.add(known.begin(at(5_000)), match)
    assert.strictEqual(known.find(hash(1), 5_000), caller)
    assert.strictEqual(known.find(hash(1), 5_899), caller)
    assert.isUndefined(known.find(hash(1), 5_900))
  })

  it("know no other key, and none before it was found", () => {
    const known = makeKnownKeys()
    assert.isUndefined(known.find(hash(1), 0))
    known.add(known.begin(at(0)), match)
    assert.isUndefined(known.find(hash(2), 0))
  })

  it("do not know a key for longer when the clock is set back", () => {
    const known = makeKnownKeys()
    known.add(known.begin(at(60_000)), match)
    assert.isUndefined(known.find(hash(1), 59_000))
  })

  it("do not know a key any longer than it lives", () => {
    const known = makeKnownKeys()
    known.add(known.begin(at(5_000)), { ...match, expiresAt: at(5_400) })
    assert.strictEqual(known.find(hash(1), 5_399), caller)
    assert.isUndefined(known.find(hash(1), 5_400))
  })

  it("forget everybody at a change", () => {
    const known = makeKnownKeys()
    known.add(known.begin(at(0)), match)
    known.forget()
    assert.isUndefined(known.find(hash(1), 0))
  })

  it("do not take what was read before a change for what is after it", () => {
    const known = makeKnownKeys()
    const before = known.begin(at(0))
    known.forget()
    known.add(before, match)
    assert.isUndefined(known.find(hash(1), 0))
    known.add(known.begin(at(0)), match)
    assert.strictEqual(known.find(hash(1), 0), caller)
  })

  it("know a key again that was looked up again", () => {
    const known = makeKnownKeys()
    known.add(known.begin(at(0)), match)
    known.add(known.begin(at(500)), { caller, keyHash: hash(2) })
    known.add(known.begin(at(900)), match)
    known.add(known.begin(at(1_600)), { caller, keyHash: hash(3) })
    assert.strictEqual(known.find(hash(1), 1_600), caller)
    assert.isUndefined(known.find(hash(2), 1_600))
    assert.strictEqual(known.find(hash(3), 1_600), caller)
  })
})
