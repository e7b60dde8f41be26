import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  assetFacts,
  assetIds,
  chainOf,
  factsOf,
  findAsset,
  findAssetByInternalId,
} from "../../src/domain/Asset.ts"
import { chainFacts } from "../../src/domain/Chain.ts"

describe("Asset", () => {
  it.effect("lists an identifier for every row of the table, in its order", () =>
    Effect.sync(() => assert.deepStrictEqual<ReadonlyArray<string>>(assetIds, Object.keys(assetFacts))))

  it.effect("is named by its ticker and its chain", () =>
    Effect.sync(() => {
      for (const asset of assetIds) {
        const { ticker } = factsOf(asset)
        assert.strictEqual<string>(asset, `${ticker.toLowerCase()}.${chainFacts[chainOf(asset)].suffix}`)
      }
    }))

  it.effect("is found again by chain and ticker, and by its network-wide name", () =>
    Effect.sync(() => {
      for (const asset of assetIds) {
        const { chain, ticker, internalId } = factsOf(asset)
        assert.strictEqual(findAsset(chain, ticker), asset)
        assert.strictEqual(findAssetByInternalId(internalId), asset)
      }
      assert.isUndefined(findAsset("Bitcoin", "ETH"))
      assert.isUndefined(findAssetByInternalId("Doge"))
    }))
})
