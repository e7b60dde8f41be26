import type { AssetBody } from "../../api/Assets.ts"
import { toHuman } from "../../domain/Amount.ts"
import { factsOf } from "../../domain/Asset.ts"
import type { ListedAsset } from "../../providers/listAssets.ts"
import { when } from "../../api/present/figures.ts"

const directionOf = ({ ingress, egress }: ListedAsset): AssetBody["direction"] =>
  ingress === egress ? "both" : ingress ? "ingress" : "egress"

/** An asset as `/assets` shows it (decision 27). */
export const presentAsset = (listed: ListedAsset): AssetBody => {
  const { asset, minimumDeposit, platforms, usdPrice } = listed
  const { chain, contractAddress, decimals, name, ticker } = factsOf(asset)
  return {
    id: asset,
    enabled: platforms.length > 0,
    direction: directionOf(listed),
    ticker,
    name,
    network: chain,
    ...when(contractAddress, (contractAddress) => ({ contractAddress })),
    decimals,
    minimalAmount: toHuman(asset, minimumDeposit),
    minimalAmountNative: minimumDeposit,
    ...when(usdPrice, (usdPrice) => ({ usdPrice })),
    platforms,
  }
}
