import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import type { LedgerStanding } from "#domain/operations/Ledger.ts"
import { EpochMillis } from "#domain/Time.ts"
import { compare } from "#application/treasury/BalanceReads.ts"

const options = { patience: Duration.minutes(15), isShared: false }

interface Look {
  readonly earned: bigint
  readonly before?: bigint
  readonly after: bigint
  readonly second: number
  readonly isSettled?: boolean
}

/** How an asset stands after several looks. */
const after = (looks: ReadonlyArray<Look>, more: Partial<typeof options> = {}) =>
  looks.reduce<LedgerStanding | undefined>(
    (known, { after, before = after, earned, isSettled = true, second }) =>
      compare(
        "usdc.eth",
        { earned, before, after, at: EpochMillis.make(second * 1_000), isSettled },
        known,
        { ...options, ...more },
      ),
    undefined,
  )?.mismatchSince

describe("What a difference of account and ledger means", () => {
  it("is nothing while they are equal, or the account has more than was in the books before only", () => {
    assert.isUndefined(after([{ earned: 5n, after: 5n, second: 0 }, { earned: 5n, after: 5n, second: 99 }]))
    assert.isUndefined(after([{ earned: 5n, before: 3n, after: 7n, second: 0 }]))
  })

  it("is a mismatch of one unit at the second look, with nothing under way", () => {
    assert.isUndefined(after([{ earned: 6n, after: 5n, second: 0 }]))
    assert.strictEqual(
      after([{ earned: 6n, after: 5n, second: 1 }, { earned: 6n, after: 5n, second: 11 }]),
      1_000,
    )
  })

  it("waits for the records of swaps under way, but not for ever", () => {
    const busy = (second: number) => ({ earned: 6n, after: 5n, second, isSettled: false })
    assert.isUndefined(after([busy(1), busy(11), busy(800)]))
    assert.strictEqual(after([busy(1), busy(11), busy(901)]), 1_000)
  })

  it("is explained by the records that reach what was seen", () => {
    assert.isUndefined(after([
      { earned: 6n, after: 5n, second: 1 },
      { earned: 8n, after: 6n, second: 11, isSettled: false },
      { earned: 8n, after: 8n, second: 21 },
    ]))
    // What was left when the first surplus was explained is a new one, with a time of its own.
    assert.strictEqual(
      after([
        { earned: 6n, after: 5n, second: 1 },
        { earned: 8n, after: 7n, second: 11 },
        { earned: 8n, after: 7n, second: 21 },
      ]),
      11_000,
    )
  })

  it("stays a mismatch until the two are equal, whatever is earned meanwhile", () => {
    const told: ReadonlyArray<Look> = [
      { earned: 6n, after: 5n, second: 1 },
      { earned: 6n, after: 5n, second: 11 },
    ]
    assert.strictEqual(after([...told, { earned: 9n, after: 8n, second: 21, isSettled: false }]), 1_000)
    assert.isUndefined(after([...told, { earned: 9n, after: 9n, second: 21 }]))
  })

  it("is a mismatch when there is less than there was in the books, once that lasts", () => {
    assert.isUndefined(after([{ earned: 4n, after: 5n, second: 0 }, { earned: 4n, after: 5n, second: 9 }]))
    assert.strictEqual(
      after([{ earned: 4n, after: 5n, second: 0 }, { earned: 4n, after: 5n, second: 10 }]),
      0,
    )
  })

  it("is told of less only, where others earn on the same account", () => {
    const more = [{ earned: 6n, after: 5n, second: 0 }, { earned: 6n, after: 5n, second: 999 }]
    assert.isUndefined(after(more, { isShared: true }))
    const less = [{ earned: 4n, after: 5n, second: 0 }, { earned: 4n, after: 5n, second: 10 }]
    assert.strictEqual(after(less, { isShared: true }), 0)
  })
})
