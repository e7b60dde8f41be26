import { assert, describe, it } from "@effect/vitest"
import type { SwapState, SwapStatus } from "#domain/swaps/Swap.ts"
import { contradictionIn, isLaterSwap, unprovenEnd } from "#application/swapping/following/Progress.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import { paid, statusIn, statusWithDeposit } from "#test/support/swap.ts"

const follows = (known: SwapStatus, found: SwapStatus): boolean =>
  contradictionIn(known, found) === undefined && unprovenEnd(found) === undefined

const numbered = (state: SwapState, swapId: string) => statusIn(state, { swapId })

describe("an upstream's answer", () => {
  it("follows when the swap stays or moves on, also past states", () => {
    assert.isTrue(follows(statusIn("waiting"), statusIn("waiting")))
    assert.isTrue(follows(statusIn("waiting"), statusIn("receiving")))
    assert.isTrue(follows(statusIn("waiting"), numbered("swapping", "5")))
    assert.isTrue(follows(statusIn("receiving"), numbered("completed", "5")))
    assert.isTrue(follows(numbered("swapping", "5"), numbered("failed", "5")))
    assert.isTrue(follows(numbered("completed", "5"), numbered("completed", "5")))
  })

  it("follows when a deposit disappears before the swap has begun", () => {
    assert.isTrue(follows(statusIn("receiving"), statusIn("waiting")))
  })

  it("follows when a broadcast is repeated", () => {
    assert.isTrue(follows(numbered("sent", "5"), numbered("sending", "5")))
  })

  it("contradicts when a swap that has begun goes back or is forgotten", () => {
    assert.isFalse(follows(numbered("sending", "5"), numbered("swapping", "5")))
    assert.isFalse(follows(numbered("swapping", "5"), statusIn("receiving")))
    assert.isFalse(follows(numbered("swapping", "5"), numbered("swapping", "4")))
  })

  it("contradicts when an end changes", () => {
    assert.isFalse(follows(numbered("completed", "5"), numbered("failed", "5")))
    const refundedInPart = statusIn("failed", { swapId: "5", refundEgress: paid })
    assert.isFalse(follows(refundedInPart, numbered("completed", "5")))
    assert.isFalse(follows(numbered("completed", "5"), statusIn("waiting")))
    assert.isFalse(follows(numbered("completed", "5"), numbered("swapping", "5")))
    assert.isFalse(follows(numbered("completed", "10"), numbered("completed", "9")))
  })

  it("follows when a failure is taken back that no refund has proved, but not to before the swap had begun", () => {
    for (const state of ["swapping", "sending", "sent", "completed"] as const) {
      assert.isTrue(follows(numbered("failed", "5"), numbered(state, "5")))
    }
    for (const state of ["waiting", "receiving"] as const) {
      assert.isTrue(follows(statusIn("failed"), statusIn(state)))
      assert.isFalse(follows(numbered("failed", "5"), numbered(state, "5")))
      assert.isFalse(follows(numbered("failed", "5"), statusIn(state)))
    }
    assert.isFalse(follows(numbered("failed", "5"), numbered("completed", "4")))
    const announced = statusIn("failed", { refundEgress: { amount: paid.amount } })
    assert.isTrue(follows(announced, statusIn("receiving")))
    assert.isFalse(follows(statusIn("failed", { refundEgress: paid }), statusIn("receiving")))
  })

  it("contradicts when an end is proved by a payment or a refund that failed", () => {
    const failure = {
      failedAt: EpochMillis.make(1),
      failedBlockIndex: BlockIndex.make("1-1"),
      mode: "SENDING_FAILED",
      reason: { code: "BroadcastAborted", message: "The broadcast was aborted" },
    }
    const ended = numbered("completed", "5")
    const { swapEgress: _, ...unpaid } = ended
    assert.isTrue(follows(numbered("sent", "5"), ended))
    assert.isFalse(follows(numbered("sent", "5"), { ...ended, swapEgress: { ...paid, failure } }))
    assert.isTrue(follows(numbered("sent", "5"), { ...unpaid, refundEgress: paid }))
    assert.isFalse(follows(numbered("sent", "5"), { ...unpaid, refundEgress: { ...paid, failure } }))
  })

  it("is about a later deposit by number and not by text, or by the transaction of one that failed", () => {
    assert.isTrue(isLaterSwap(numbered("completed", "9"), numbered("swapping", "10")))
    assert.isTrue(isLaterSwap(numbered("failed", "9"), numbered("completed", "10")))
    assert.isFalse(isLaterSwap(numbered("completed", "10"), numbered("swapping", "9")))
    assert.isTrue(isLaterSwap(statusIn("failed"), numbered("swapping", "10")))
    assert.isFalse(isLaterSwap(statusIn("waiting"), numbered("swapping", "10")))
    const failed = statusWithDeposit("failed", "0xAA")
    assert.isTrue(isLaterSwap(failed, statusWithDeposit("swapping", "0xbb", { swapId: "10" })))
    const takenBack = statusWithDeposit("swapping", "0xaa", { swapId: "10" })
    assert.isFalse(isLaterSwap(failed, takenBack))
    assert.isTrue(follows(failed, takenBack))
  })
})
