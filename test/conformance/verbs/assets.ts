import { assert } from "@effect/vitest"
import type { Offer } from "../Fixtures.ts"
import { type Check, check, isNotPossible, type Kit } from "./kit.ts"

const lists = <R, E>(kit: Kit<R, E>): Check<E> =>
  check(
    kit,
    "lists its assets, each once, and those of the pairs that it swaps switched on",
    function* (provider) {
      const listed = yield* provider.assets
      assert.strictEqual(new Set(listed.map(({ asset }) => asset)).size, listed.length)
      for (const { sourceAsset, destinationAsset, amount } of kit.fixtures.offers) {
        const source = listed.find(({ asset }) => asset === sourceAsset)
        assert.isTrue(source?.ingress, `${sourceAsset} cannot be deposited`)
        assert.isTrue((source?.minimumDeposit ?? 0n) <= amount, `minimum of ${sourceAsset}`)
        assert.isTrue(
          listed.find(({ asset }) => asset === destinationAsset)?.egress,
          `${destinationAsset} cannot be paid out`,
        )
      }
    },
  )

const leavesOut = <R, E>(kit: Kit<R, E>, unserved: Offer): Check<E> =>
  check(
    kit,
    "does not list both assets of a pair that it does not serve as switched on",
    function* (provider) {
      const listed = yield* provider.assets
      const ingress = listed.some(({ asset, ingress }) => asset === unserved.sourceAsset && ingress)
      const egress = listed.some(({ asset, egress }) => asset === unserved.destinationAsset && egress)
      assert.isFalse(ingress && egress)
    },
  )

/** What the provider says of its assets. */
export const assets = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { unserved } = kit.fixtures
  return isNotPossible(unserved) ? [lists(kit)] : [lists(kit), leavesOut(kit, unserved)]
}
