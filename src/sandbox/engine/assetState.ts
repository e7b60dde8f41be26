import type { AssetId } from "../../domain/Asset.ts"
import { firstStateOf } from "./figures.ts"
import type { AssetState, Network } from "./State.ts"

/** An asset as it is now. */
export const assetState = (network: Network, asset: AssetId): AssetState =>
  network.assets.get(asset) ?? firstStateOf(asset)
