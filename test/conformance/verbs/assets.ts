import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { inItsOwnWorld, isNotPossible, type Kit } from "./kit.ts"

/** What the provider says of its assets. */
export const assets = <R, E>(kit: Kit<R, E>): void => {
  const { offers, unserved } = kit.fixtures

  it.effect("lists its assets, each once, and those of the pairs that it swaps switched on", () =>
    inItsOwnWorld(kit, (provider) =>
      Effect.gen(function* () {
        const listed = yield* provider.assets
        assert.strictEqual(new Set(listed.map(({ asset }) => asset)).size, listed.length)
        for (const { sourceAsset, destinationAsset, amount } of offers) {
          const source = listed.find(({ asset }) => asset === sourceAsset)
          assert.isTrue(source?.ingress, `${sourceAsset} cannot be deposited`)
          assert.isTrue((source?.minimumDeposit ?? 0n) <= amount, `minimum of ${sourceAsset}`)
          assert.isTrue(
            listed.find(({ asset }) => asset === destinationAsset)?.egress,
            `${destinationAsset} cannot be paid out`,
          )
        }
      })))

  if (isNotPossible(unserved)) return

  it.effect("does not list both assets of a pair that it does not serve as switched on", () =>
    inItsOwnWorld(kit, (provider) =>
      Effect.gen(function* () {
        const listed = yield* provider.assets
        const ingress = listed.some(({ asset, ingress }) => asset === unserved.sourceAsset && ingress)
        const egress = listed.some(({ asset, egress }) => asset === unserved.destinationAsset && egress)
        assert.isFalse(ingress && egress)
      })))
}
