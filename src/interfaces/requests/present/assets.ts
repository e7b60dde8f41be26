import { BigDecimal, Option } from "effect"
import type { AssetBody, NetworkBody } from "#api/Assets.ts"
import { seconds } from "#api/shape.ts"
import { NativeAmount, toHuman } from "#domain/money/Amount.ts"
import { factsOf } from "#domain/chains/Asset.ts"
import { chainFacts, chains, type Network } from "#domain/chains/Chain.ts"
import { publicFacts } from "#domain/chains/explorer.ts"
import type { UsdPrice, UsdPrices } from "#domain/money/UsdValue.ts"
import { toIsoDate } from "#domain/Time.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { startPaths } from "#domain/swaps/Start.ts"
import type { ListedAsset } from "#providers/AssetCatalogue.ts"

const directionOf = ({ ingress, egress }: ListedAsset): AssetBody["direction"] =>
  ingress === egress ? "both" : ingress ? "ingress" : "egress"

/** The decimals of prices: they count millionths of a dollar, as the stablecoins do. */
const priceDecimals = 6

/** A price in both forms, equal to the last digit, and its time; nothing where it is less than a millionth. */
const priceMembers = ({ at, usd }: UsdPrice) => {
  const usdPriceNative = NativeAmount.makeOption(BigDecimal.scale(usd, priceDecimals).value)
  return Option.isNone(usdPriceNative) || usdPriceNative.value === 0n ? {} : {
    usdPrice: BigDecimal.make(usdPriceNative.value, priceDecimals),
    usdPriceNative: usdPriceNative.value,
    usdPriceAt: at,
    usdPriceAtDate: toIsoDate(at),
  }
}

/** The data of a list besides the assets. */
export interface AssetViews {
  readonly prices: UsdPrices
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
    ...optionalMembers(prices.get(asset), priceMembers),
    assetLogo: logoUrl(asset),
    networkLogo: logoUrl(chainFacts(chain).suffix),
    platforms: providers,
    startPaths: startPaths(listed.starts, chain),
  }
}

/** Every chain as `/networks` shows it, with the facts of its main or its test network. */
export const presentNetworks = (
  logoUrl: (id: string) => string,
  network: Network,
): ReadonlyArray<NetworkBody> =>
  chains().map((name) => {
    const { blockMillis, coin, family: { _tag: family }, suffix } = chainFacts(name)
    const { addressExplorer, caip2, explorer } = publicFacts(name, network)
    return {
      id: suffix,
      name,
      logo: logoUrl(suffix),
      kind: family === "bitcoin" ? "utxo" : family,
      nativeAsset: coin,
      blockSeconds: seconds(blockMillis),
      ...defined({
        chainId: family === "evm" && caip2 !== undefined ? Number(caip2.slice("eip155:".length)) : undefined,
        caip2,
        explorerUrl: URL.parse("..", explorer)?.href,
        transactionUrlTemplate: explorer && `${explorer}{transactionReference}`,
        addressUrlTemplate: addressExplorer && `${addressExplorer}{address}`,
      }),
    }
  })
