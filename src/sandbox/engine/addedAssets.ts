import type { AssetId } from "#domain/chains/Asset.ts"
import { builtInAssets } from "#domain/chains/catalogue/assets.ts"
import { firstStateOf } from "./figures.ts"

/**
 * What sending an asset of an added row costs in the simulated networks, in native units: by its worth, as nobody has
 * recorded more. Nothing for an asset of this build: each network has its own costs of those that it trades.
 */
export const costOfAdded = (asset: AssetId): bigint | undefined =>
  asset in builtInAssets ? undefined : firstStateOf(asset).egressFee
