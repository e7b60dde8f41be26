import { Schema } from "effect"
import { type AssetId as CatalogueAssetId, assetIds, factsOf } from "./catalogue/Catalogue.ts"
import type { Chain } from "./Chain.ts"

export { type AssetFacts, assetIds, factsOf, findAssetId } from "./catalogue/Catalogue.ts"

/** An asset identifier of the form `<asset>.<chain>` (decision 32). */
export const AssetId: Schema.Codec<AssetId> = Schema.suspend(() => Schema.Literals(assetIds()))
export type AssetId = CatalogueAssetId

export const chainOf = (asset: AssetId): Chain => factsOf(asset).chain

/** The asset with this chain and ticker, if it is known. */
export const findAsset = (chain: string, ticker: string): AssetId | undefined =>
  assetIds().find((asset) => factsOf(asset).chain === chain && factsOf(asset).ticker === ticker)

/** The asset of a bare ticker: on Ethereum, or on its only chain (chainflip/wire.md 1.1). */
export const findAssetByTicker = (ticker: string): AssetId | undefined => {
  const found = assetIds().filter((asset) => factsOf(asset).ticker === ticker)
  return found.find((asset) => factsOf(asset).chain === "Ethereum") ??
    (found.length === 1 ? found[0] : undefined)
}
