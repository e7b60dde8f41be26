import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "#domain/accounts/Account.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { StoredSwap } from "#infrastructure/store/swaps/SwapsRepo.ts"
import { makeEndedSwaps } from "#application/swapping/following/Freshness.ts"
import { expired, freshStanding, statusIn } from "#test/support/swap.ts"

const one = AccountId.make(1)
const other = AccountId.make(2)

const swap = (id: number, followed = false): StoredSwap => ({
  record: {
    id: SwapRecordId.make(id),
    platform: ProviderName.make("first"),
    status: expired(statusIn("completed")),
    standing: freshStanding,
  },
  lookedUpAt: EpochMillis.make(0),
  askedAt: EpochMillis.make(0),
  lookupFailures: 0,
  followed,
})

const now = EpochMillis.make(1_000_000)

/** Far more than are kept. */
const many = Array.from({ length: 3_000 }, (_, index) => swap(index + 1))

describe("swaps that have ended", () => {
  it("are remembered, each for its own account", () => {
    const ended = makeEndedSwaps()
    const stored = swap(7)
    ended.keep(one, stored, now)
    assert.strictEqual(ended.find(one, stored.record.id, now), stored.record)
    assert.isUndefined(ended.find(other, stored.record.id, now))
    assert.isUndefined(ended.find(one, SwapRecordId.make(8), now))
  })

  it("are forgotten after a minute, as the operator can move them to another account", () => {
    const ended = makeEndedSwaps()
    const stored = swap(7)
    ended.keep(one, stored, now)
    const findAt = (time: number) => ended.find(one, stored.record.id, EpochMillis.make(time))
    assert.strictEqual(findAt(now + 59_999), stored.record)
    assert.isUndefined(findAt(now + 60_000))
    assert.isUndefined(findAt(now - 60_000))
  })

  it("are not remembered while they are followed", () => {
    const ended = makeEndedSwaps()
    const stored = swap(7, true)
    ended.keep(one, stored, now)
    assert.isUndefined(ended.find(one, stored.record.id, now))
  })

  it("are not remembered while no payment proves their end, nor while their channel can be used again", () => {
    const ended = makeEndedSwaps()
    const unproved = [expired(statusIn("waiting")), expired(statusIn("failed")), statusIn("completed")]
    for (const [index, status] of unproved.entries()) {
      const stored = swap(index + 1)
      ended.keep(one, { ...stored, record: { ...stored.record, status } }, now)
      assert.isUndefined(ended.find(one, stored.record.id, now))
    }
  })

  it("are forgotten when many others were asked for since, and only then", () => {
    const ended = makeEndedSwaps()
    const asked = swap(3_001)
    ended.keep(one, asked, now)
    for (const stored of many) {
      ended.keep(one, stored, now)
      assert.strictEqual(ended.find(one, asked.record.id, now), asked.record)
    }
    const kept = many.filter(({ record }) => ended.find(one, record.id, now) !== undefined)
    assert.isAbove(kept.length, 400)
    assert.isBelow(kept.length, 1_001)
    assert.strictEqual(kept.at(-1), many.at(-1))
  })
})
