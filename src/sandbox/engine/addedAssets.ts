import type { AssetId } from "#domain/chains/Asset.ts"
import { builtInAssets } from "#domain/chains/catalogue/assets.ts"
import { firstStateOf } from "./figures.ts"

/** Native cost of sending an asset of an added row, by its worth; nothing for assets of this build. */
export const costOfAdded = (asset: AssetId): bigint | undefined =>
  asset in builtInAssets ? undefined : firstStateOf(asset).egressFee
