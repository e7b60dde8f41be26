import { assert, describe, it } from "#test/support/it.ts"
import type { Fee } from "#domain/money/Fee.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { Egress, SwapStatus } from "#domain/swaps/Swap.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import {
  changedParts,
  eventOf,
  feeKind,
  moneyEnd,
  type MoneyEvent,
} from "#interfaces/dashboard/swaps/money.tsx"
import { paid, statusIn, statusWithDeposit } from "#test/support/swap.ts"

const at = EpochMillis.make(1)
const scheduled: Egress = { amount: NativeAmount.make(7n) }
const sent: Egress = { ...scheduled, transactionReference: "0xsent" }
const witnessed: Egress = { ...sent, witnessedAt: at }
const failed: Egress = {
  ...scheduled,
  failure: {
    failedAt: at,
    failedBlockIndex: BlockIndex.make("1-1"),
    mode: "SENDING_FAILED",
    reason: { code: "x", message: "x" },
  },
}
const refunded: SwapStatus = { ...statusIn("sending"), state: "completed", refundEgress: witnessed }

describe("what a change of status was", () => {
  const swapping = statusIn("swapping")
  const rows: ReadonlyArray<readonly [MoneyEvent, SwapStatus, before: SwapStatus | undefined]> = [
    ["receiving", statusIn("receiving"), statusIn("waiting")],
    ["payoutScheduled", statusIn("sending", { swapEgress: scheduled }), swapping],
    ["refundScheduled", statusIn("sending", { refundEgress: scheduled }), swapping],
    ["bothScheduled", statusIn("sending", { swapEgress: scheduled, refundEgress: scheduled }), swapping],
    ["payoutSent", statusIn("sent", { swapEgress: sent }), swapping],
    ["refundSent", statusIn("sent", { refundEgress: sent }), swapping],
    ["bothSent", statusIn("sent", { swapEgress: sent, refundEgress: sent }), swapping],
    ["completed", statusIn("completed"), swapping],
    ["refunded", refunded, swapping],
    ["partlyRefunded", statusIn("completed", { refundEgress: witnessed }), swapping],
    ["failed", statusIn("failed"), undefined],
    ["refunded", statusIn("failed", { refundEgress: witnessed }), statusIn("failed")],
    [
      "refundSent",
      statusIn("sending", { refundEgress: sent }),
      statusIn("sending", { refundEgress: scheduled }),
    ],
    ["refundScheduled", statusIn("swapping", { refundEgress: scheduled }), swapping],
    ["updated", statusIn("swapping", { swapId: "2" }), swapping],
    [
      "confirmed",
      statusIn("receiving", { deposit: { amount: NativeAmount.make(1n), transactionConfirmations: 2 } }),
      statusIn("receiving", { deposit: { amount: NativeAmount.make(1n), transactionConfirmations: 1 } }),
    ],
  ]

  it("is told by the money that moved", () => {
    for (const [event, status, before] of rows) assert.strictEqual(eventOf("changed", status, before), event)
  })

  it("is how the record began, or that the channel expired", () => {
    for (const kind of ["opened", "found", "imported", "expired"] as const) {
      assert.strictEqual(eventOf(kind, statusIn("waiting"), undefined), kind)
    }
  })

  it("names the parts that changed, and not the time of the upstream's last look", () => {
    const before = statusWithDeposit("receiving", "0xa")
    assert.strictEqual(changedParts({ ...before, lastStateChainUpdateAt: at }, before).length, 0)
    assert.strictEqual(changedParts({ ...before, swapId: "2" }, before).length, 1)
    assert.strictEqual(changedParts(statusWithDeposit("receiving", "0xb", { swapId: "2" }), before).length, 2)
  })
})

describe("what the money comes to", () => {
  const end = (status: SwapStatus) => {
    const found = moneyEnd(status)
    return found === undefined ? "nothing" : `${found.label} ${found.asset}`
  }

  it("is to be paid until the payment is witnessed or the swap is over", () => {
    assert.deepStrictEqual([
      end(statusIn("sending", { swapEgress: scheduled })),
      end(statusIn("sent", { swapEgress: sent })),
      end(statusIn("sent", { swapEgress: witnessed })),
      end(statusIn("completed", { swapEgress: paid })),
      end(statusIn("failed", { refundEgress: scheduled })),
      end(statusIn("failed", { refundEgress: sent })),
      end(statusIn("sending", { refundEgress: scheduled })),
    ], [
      "To be paid out eth.eth",
      "To be paid out eth.eth",
      "Paid out eth.eth",
      "Paid out eth.eth",
      "To be refunded btc.btc",
      "Refunded btc.btc",
      "To be refunded btc.btc",
    ])
  })

  it("is no payment that failed", () => {
    assert.deepStrictEqual([
      end(statusIn("failed", { swapEgress: failed, fallbackEgress: witnessed })),
      end(statusIn("failed", { refundEgress: failed })),
      end(statusIn("swapping")),
    ], ["Fallback payout eth.eth", "nothing", "nothing"])
  })

  it("has its fee: the refund's where nothing was paid out", () => {
    const fee: Fee = { type: "egress", asset: "btc.btc", amount: NativeAmount.make(1n) }
    assert.strictEqual(feeKind(fee, statusIn("sending", { refundEgress: scheduled })), "refund")
    assert.strictEqual(feeKind(fee, statusIn("sending", { swapEgress: scheduled })), "egress")
    const both = statusIn("completed", { refundEgress: witnessed })
    assert.strictEqual(feeKind(fee, both), "egress")
    assert.strictEqual(
      feeKind({ ...fee, type: "ingress" }, statusIn("sending", { refundEgress: sent })),
      "ingress",
    )
  })
})
