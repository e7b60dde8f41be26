import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { SwapState, type SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { eventsBetween } from "#application/swapping/following/Progress.ts"
import { expired, paid, statusIn } from "#test/support/swap.ts"

const between = (known: SwapStatus, found: SwapStatus) => eventsBetween(Option.some(known), found)
const { swapEgress: _, ...unpaid } = statusIn("completed")
const refunded: SwapStatus = { ...unpaid, refundEgress: paid }

describe("An account is told", () => {
  it("of every state that a swap comes into, also past others", () => {
    for (const state of SwapState.literals) {
      assert.deepStrictEqual(eventsBetween(Option.none(), statusIn(state)), [`swap.${state}`])
    }
    assert.deepStrictEqual(between(statusIn("waiting"), statusIn("sent")), ["swap.sent"])
    assert.deepStrictEqual(between(statusIn("receiving"), statusIn("waiting")), ["swap.waiting"])
  })

  it("of nothing while a swap stays in its state", () => {
    assert.deepStrictEqual(between(statusIn("swapping"), statusIn("swapping", { swapId: "7" })), [])
    assert.deepStrictEqual(between(refunded, refunded), [])
  })

  it("of a refund where everything went back, and of a completion where a part of it did", () => {
    assert.deepStrictEqual(between(statusIn("sent"), refunded), ["swap.refunded"])
    assert.deepStrictEqual(between(statusIn("sent"), { ...refunded, swapEgress: paid }), ["swap.completed"])
  })

  it("that the deposit of a failed swap went back, once it has", () => {
    const failed = statusIn("failed")
    const underWay = { ...failed, refundEgress: { amount: NativeAmount.make(1n) } }
    const back = { ...failed, refundEgress: paid }
    const seen = { ...failed, refundEgress: { ...underWay.refundEgress, witnessedAt: EpochMillis.make(1) } }
    assert.deepStrictEqual(between(statusIn("receiving"), underWay), ["swap.failed"])
    assert.deepStrictEqual(between(underWay, back), ["swap.refunded"])
    assert.deepStrictEqual(between(underWay, seen), ["swap.refunded"])
    assert.deepStrictEqual(between(back, seen), [])
    assert.deepStrictEqual(between(statusIn("receiving"), back), ["swap.failed", "swap.refunded"])
  })

  it("once that a channel has expired", () => {
    const waiting = statusIn("waiting")
    assert.deepStrictEqual(between(waiting, expired(waiting)), ["channel.expired"])
    assert.deepStrictEqual(between(expired(waiting), expired(waiting)), [])
    const late = expired(statusIn("receiving"))
    assert.deepStrictEqual(between(waiting, late), ["swap.receiving", "channel.expired"])
  })
})
