import { BigDecimal, Option } from "effect"
import type { AssetBody, NetworkBody } from "#api/Assets.ts"
import { NativeAmount, toHuman } from "#domain/money/Amount.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts, chains } from "#domain/chains/Chain.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { startPaths } from "#domain/swaps/Start.ts"
import type { ListedAsset } from "#providers/AssetCatalogue.ts"

const directionOf = ({ ingress, egress }: ListedAsset): AssetBody["direction"] =>
  ingress === egress ? "both" : ingress ? "ingress" : "egress"

/** The decimals of prices: they count millionths of a dollar, as the stablecoins do. */
const priceDecimals = 6

/** A price in both forms, equal to the last digit; nothing where it is less than a millionth. */
const priceMembers = (price: BigDecimal.BigDecimal | undefined) => {
  const native = price === undefined ? 0n : BigDecimal.scale(price, priceDecimals).value
  return Option.match(NativeAmount.makeOption(native), {
    onNone: () => ({}),
    onSome: (usdPriceNative) =>
      usdPriceNative === 0n
        ? {}
        : { usdPrice: BigDecimal.make(usdPriceNative, priceDecimals), usdPriceNative },
  })
}

/** The data of a list besides the assets. */
export interface AssetViews {
  /** US dollars for one whole unit. */
  readonly prices: ReadonlyMap<AssetId, BigDecimal.BigDecimal>
  readonly logoUrl: (id: string) => string
}

/** An asset as `/assets` shows it. */
export const presentAsset = ({ logoUrl, prices }: AssetViews) => (listed: ListedAsset): AssetBody => {
  const { asset, minimumDeposit, providers } = listed
  const { chain, contractAddress, decimals, name, ticker } = factsOf(asset)
  return {
    id: asset,
    enabled: providers.length > 0,
    direction: directionOf(listed),
    ticker,
    name,
    network: chain,
    ...defined({ contractAddress }),
    decimals,
    minimalAmount: toHuman(asset, minimumDeposit),
    minimalAmountNative: minimumDeposit,
    ...priceMembers(prices.get(asset)),
    assetLogo: logoUrl(asset),
    networkLogo: logoUrl(chainFacts(chain).suffix),
    platforms: providers,
    startPaths: startPaths(listed.starts, chain),
  }
}

/** Every network as `/networks` shows it. */
export const presentNetworks = (logoUrl: (id: string) => string): ReadonlyArray<NetworkBody> =>
  chains().map((name) => {
    const { suffix } = chainFacts(name)
    return { id: suffix, name, logo: logoUrl(suffix) }
  })
