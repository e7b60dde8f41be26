import { assert, describe, it } from "@effect/vitest"
import { KnownKeys } from "../../src/accounts/KnownKeys.ts"
import { type Account, AccountId } from "../../src/domain/Account.ts"
import { Bps } from "../../src/domain/Bps.ts"

const hash = (fill: number) => new Uint8Array(32).fill(fill)
const account: Account = { id: AccountId.make(1), name: "one", commissionBps: Bps.make(0), scopes: [] }

describe("KnownKeys", () => {
  it("knows a key for less than a second", () => {
    const known = new KnownKeys()
    known.add(hash(1), account, 5_000)
    assert.strictEqual(known.find(hash(1), 5_000), account)
    assert.strictEqual(known.find(hash(1), 5_999), account)
    assert.isUndefined(known.find(hash(1), 6_000))
  })

  it("knows no other key, and none before it was found", () => {
    const known = new KnownKeys()
    assert.isUndefined(known.find(hash(1), 0))
    known.add(hash(1), account, 0)
    assert.isUndefined(known.find(hash(2), 0))
  })

  it("does not know a key for longer when the clock is set back", () => {
    const known = new KnownKeys()
    known.add(hash(1), account, 60_000)
    assert.isUndefined(known.find(hash(1), 59_000))
  })
})
