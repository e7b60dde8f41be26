import { assert } from "@effect/vitest"
import { type Egress, SwapState, type SwapStatus } from "../../../src/domain/Swap.ts"
import type { Fixtures } from "../Fixtures.ts"

const place = ({ state }: SwapStatus): number => SwapState.literals.indexOf(state)

/** States only ever move forward (decision 23). */
export const assertForward = (history: ReadonlyArray<SwapStatus>): void => {
  const places = history.map(place)
  assert.deepStrictEqual(places, places.toSorted((one, other) => one - other), states(history))
}

const states = (history: ReadonlyArray<SwapStatus>): string =>
  [...new Set(history.map(({ state }) => state))].join(", ")

/** Whether the amount of a deposit that a record names may still change. */
const isProvisional = ({ state }: SwapStatus, untold: Fixtures<never>["untold"]): boolean =>
  untold.unconfirmedDepositAmount !== undefined && (state === "waiting" || state === "receiving")

/** What a swap is never changes, and a figure that was told is not taken back. */
export const assertTold = (
  history: ReadonlyArray<SwapStatus>,
  untold: Fixtures<never>["untold"],
): void => {
  for (const [index, status] of history.entries()) {
    const before = history[index - 1] ?? status
    assert.strictEqual(status.sourceAsset, before.sourceAsset)
    assert.strictEqual(status.destinationAsset, before.destinationAsset)
    assert.strictEqual(status.destinationAddress, before.destinationAddress)
    assert.deepStrictEqual(status.depositChannel?.id, before.depositChannel?.id)
    assert.strictEqual(status.depositChannel?.depositAddress, before.depositChannel?.depositAddress)
    assert.strictEqual(status.swapId, before.swapId ?? status.swapId)
    if (!isProvisional(before, untold)) {
      assert.strictEqual(status.deposit?.amount, before.deposit?.amount ?? status.deposit?.amount)
    }
    assert.strictEqual(status.swapEgress?.amount, before.swapEgress?.amount ?? status.swapEgress?.amount)
  }
}

/** Money that has arrived: an amount, and the transaction that carried it where the upstream tells. */
export const assertPaid = (
  egress: Egress | undefined,
  { transaction }: { readonly transaction: boolean },
): void => {
  assert.isDefined(egress)
  assert.isTrue(egress !== undefined && egress.amount > 0n)
  if (transaction) assert.isNotEmpty(egress?.transactionReference ?? "")
  assert.notProperty(egress ?? {}, "failure")
}
