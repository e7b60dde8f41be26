import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assetIds, chainOf, factsOf, findAsset } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { builtInAssets } from "#domain/chains/catalogue/assets.ts"
import { findAssetByInternalId, internalIdOf, networkAssets } from "#domain/chains/payload/contractNumbers.ts"

describe("Asset", () => {
  it.effect("lists an identifier for every row of the table, in its order", () =>
    Effect.sync(() => assert.deepStrictEqual<ReadonlyArray<string>>(assetIds(), Object.keys(builtInAssets))))

  it.effect("is named by its ticker and its chain", () =>
    Effect.sync(() => {
      for (const asset of assetIds()) {
        const { ticker } = factsOf(asset)
        assert.strictEqual<string>(asset, `${ticker.toLowerCase()}.${chainFacts(chainOf(asset)).suffix}`)
      }
    }))

  it.effect("is found again by chain and ticker, and by its network-wide name", () =>
    Effect.sync(() => {
      for (const asset of assetIds()) {
        const { chain, ticker } = factsOf(asset)
        assert.strictEqual(findAsset(chain, ticker), asset)
      }
      for (const asset of networkAssets) {
        assert.strictEqual(findAssetByInternalId(internalIdOf(asset)), asset)
      }
      assert.isUndefined(findAsset("Bitcoin", "ETH"))
      assert.isUndefined(findAssetByInternalId("Doge"))
    }))
})
