import { Option } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"

// The `depositCost` of a quote (domain/Quote.ts), of what the upstream's own answers tell and of nothing else: a token's, which
// is paid in the coin of its chain, is converted at a price of the same upstream or left out. What cannot be read leaves the
// cost out, and the quote as it is.

/** Bytes of a payment with one input and change: virtual if P2WPKH, plain if P2PKH. */
const segwitSize = 141n
const legacySize = 226n
/** The gas of a payment in the coin of an EVM chain, and what a token's transfer typically takes. */
const coinGas = 21_000n
const tokenGas = 65_000n

/** The coin that payments cost on a chain; nothing where it is none of our assets. */
export const coinOn = (chain: Chain): AssetId => chainFacts(chain).coin

/** Bytes on chains of Bitcoin's family, gas on EVM chains; nothing elsewhere, where size has no price. */
export const paymentSize = (asset: AssetId): bigint | undefined => {
  const { chain, contractAddress } = factsOf(asset)
  const { family } = chainFacts(chain)
  if (family._tag === "bitcoin") return family.forms.mainnet.bech32 === undefined ? legacySize : segwitSize
  if (family._tag !== "evm") return undefined
  return contractAddress === undefined ? coinGas : tokenGas
}

/** A cost that can be stated: one of nothing, or of more than there can be, says nothing. */
export const statable = (cost: bigint): NativeAmount | undefined =>
  cost <= 0n ? undefined : Option.getOrUndefined(NativeAmount.makeOption(cost))
