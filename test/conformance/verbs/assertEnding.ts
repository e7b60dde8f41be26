import { assert } from "@effect/vitest"
import { type Egress, SwapState, type SwapStatus } from "#domain/swaps/Swap.ts"
import type { EndingName, Untold } from "../Fixtures.ts"

const place = ({ state }: SwapStatus): number => SwapState.literals.indexOf(state)

/** States only ever move forward (decision 23). */
const assertForward = (history: ReadonlyArray<SwapStatus>): void => {
  const places = history.map(place)
  assert.deepStrictEqual(places, places.toSorted((one, other) => one - other), states(history))
}

const states = (history: ReadonlyArray<SwapStatus>): string =>
  [...new Set(history.map(({ state }) => state))].join(", ")

/** Whether the amount of a deposit that a record names may still change. */
const isProvisional = ({ state }: SwapStatus, untold: Untold): boolean =>
  untold.unconfirmedDepositAmount !== undefined && (state === "waiting" || state === "receiving")

/** What a swap is never changes, and a figure that was told is not taken back. */
const assertTold = (history: ReadonlyArray<SwapStatus>, untold: Untold): void => {
  for (const [index, status] of history.entries()) {
    const before = history[index - 1] ?? status
    assert.strictEqual(status.sourceAsset, before.sourceAsset)
    assert.strictEqual(status.destinationAsset, before.destinationAsset)
    assert.strictEqual(status.destinationAddress, before.destinationAddress)
    assert.deepStrictEqual(status.depositChannel?.id, before.depositChannel?.id)
    assert.strictEqual(status.depositChannel?.depositAddress, before.depositChannel?.depositAddress)
    assert.strictEqual(status.depositChannel?.reference, before.depositChannel?.reference)
    assert.strictEqual(status.swapId, before.swapId ?? status.swapId)
    if (!isProvisional(before, untold)) {
      assert.strictEqual(status.deposit?.amount, before.deposit?.amount ?? status.deposit?.amount)
    }
    assert.strictEqual(status.swapEgress?.amount, before.swapEgress?.amount ?? status.swapEgress?.amount)
  }
}

/** The records of a swap, one after the other: forward, and nothing is taken back. */
export const assertHistory = (history: ReadonlyArray<SwapStatus>, untold: Untold): void => {
  assertForward(history)
  assertTold(history, untold)
}

/** Money that has arrived: an amount, and the transaction that carried it where the upstream tells. */
const assertPaid = (
  egress: Egress | undefined,
  { transaction }: { readonly transaction: boolean },
): void => {
  assert.isDefined(egress)
  assert.isTrue(egress !== undefined && egress.amount > 0n)
  if (transaction) assert.isNotEmpty(egress?.transactionReference ?? "")
  assert.notProperty(egress ?? {}, "failure")
}

/** How each ending has to look. */
export const assertEnd: Readonly<Record<EndingName, (end: SwapStatus, untold: Untold) => void>> = {
  completed: (end) => {
    assert.strictEqual(end.state, "completed")
    assertPaid(end.swapEgress, { transaction: true })
    assert.notProperty(end, "refundEgress")
  },
  refunded: (end, { refundTransaction }) => {
    assert.strictEqual(end.state, "completed", "a refund ends as completed (decision 23)")
    assertPaid(end.refundEgress, { transaction: refundTransaction === undefined })
    assert.notProperty(end, "swapEgress")
  },
  failed: (end) => {
    assert.strictEqual(end.state, "failed")
    const failures = [end.deposit, end.swapEgress, end.refundEgress].flatMap((part) => part?.failure ?? [])
    assert.isAbove(failures.length, 0, "nothing says why")
    failures.forEach(({ mode, reason }) => assert.isTrue(mode !== "" && reason.message !== ""))
  },
}
