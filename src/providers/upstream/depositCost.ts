import { Option } from "effect"
import { NativeAmount } from "../../domain/Amount.ts"
import { type AssetId, assetIds, chainOf, factsOf } from "../../domain/Asset.ts"
import { type Chain, chainFacts } from "../../domain/Chain.ts"

// The `depositCost` of a quote (domain/Quote.ts), of what the upstream's own answers tell and of nothing else: a token's, which
// is paid in the coin of its chain, is converted at a price of the same upstream or left out. What cannot be read leaves the
// cost out, and the quote as it is.

/** Virtual bytes of a Bitcoin payment with one input and a change, all of them P2WPKH. */
const bitcoinSize = 141n
/** The gas of a payment in the coin of an EVM chain, and what a token's transfer typically takes. */
const coinGas = 21_000n
const tokenGas = 65_000n

/** The coin that payments cost on a chain; nothing where it is none of our assets. */
export const coinOn = (chain: Chain): AssetId | undefined =>
  assetIds.find((asset) => chainOf(asset) === chain && factsOf(asset).contractAddress === undefined)

/**
 * The size of a plain payment of an asset: virtual bytes on Bitcoin, gas on EVM chains. Nothing on other chains, where a
 * payment has no price for each unit of its size.
 */
export const paymentSize = (asset: AssetId): bigint | undefined => {
  const { chain, contractAddress } = factsOf(asset)
  if (chain === "Bitcoin") return bitcoinSize
  if (chainFacts[chain].evmChainId === undefined) return undefined
  return contractAddress === undefined ? coinGas : tokenGas
}

/** A cost that can be stated: one of nothing, or of more than there can be, says nothing. */
export const statable = (cost: bigint): NativeAmount | undefined =>
  cost <= 0n ? undefined : Option.getOrUndefined(NativeAmount.makeOption(cost))
