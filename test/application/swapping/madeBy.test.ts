import { assert, describe, it } from "@effect/vitest"
import { EpochMillis } from "#domain/Time.ts"
import { madeBy } from "#application/swapping/payloads/payloadTraits.ts"
import { vaultSwapStatus } from "#test/support/vaultSwap.ts"
import { newRequest } from "./scriptedVaultSwaps.ts"

const minutes = (count: number): number => count * 60_000

const deposited = Date.UTC(2026, 6, 29)
const at = (afterMinutes: number): EpochMillis => EpochMillis.make(deposited + minutes(afterMinutes))

/** A record of an hour ago: its upstream has stopped since. */
const asked = newRequest()
const old = vaultSwapStatus(asked, "swapping", "0xaa", {
  deposit: { amount: asked.amount, witnessedAt: at(0) },
  sourceChainRequiredBlockConfirmations: 1,
  lastStateChainUpdateAt: at(1),
})

describe("When a vault swap's transaction was made at the latest", () => {
  const live = { simulatedTime: false }

  it("is soon after its deposit was seen, however long its upstream has told nothing new", () => {
    assert.strictEqual(madeBy(old, at(4), live), at(3))
    for (const later of [20, 60, 100_000]) {
      assert.strictEqual(madeBy(old, at(later), live), at(10), `${later}`)
    }
  })

  it("is not told by an old record of a world with its own time", () => {
    assert.strictEqual(madeBy(old, at(100_000), { simulatedTime: true }), at(100_000))
  })
})
