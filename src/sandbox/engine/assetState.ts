import type { AssetId } from "#domain/chains/Asset.ts"
import { firstStateOf } from "./figures.ts"
import type { AssetState, Network } from "./State.ts"

/** An asset as it is now; made when it is first asked for. */
export const assetState = (network: Network, asset: AssetId): AssetState => {
  const known = network.assets.get(asset)
  if (known !== undefined) return known
  const first = firstStateOf(asset)
  network.assets.set(asset, first)
  return first
}
