import { BigDecimal, Option } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"
import { Price } from "#domain/money/Price.ts"

export interface Assets {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
}

export const power = (exponent: number): bigint => 10n ** BigInt(exponent)

export const ceilDivide = (value: bigint, divisor: bigint): bigint => (value + divisor - 1n) / divisor

/** The output for one unit of the source, with digits enough that price × amount gives the output again. */
export const estimatedPrice = (
  { sourceAsset, destinationAsset }: Assets,
  amountIn: bigint,
  amountOut: bigint,
  moreDigits = 0,
): Price => {
  const source = factsOf(sourceAsset).decimals
  const destination = factsOf(destinationAsset).decimals
  const places = destination + `${amountIn}`.length + moreDigits
  const value = amountOut * power(source) * power(places) / (amountIn * power(destination))
  return Price.make(BigDecimal.normalize(BigDecimal.make(value, places)))
}

/** The least output, in native units, with which an amount meets a price limit. */
export const minimumOutput = (
  { sourceAsset, destinationAsset }: Assets,
  amount: bigint,
  limit: Price,
): bigint => {
  const { value, scale } = BigDecimal.normalize(limit)
  const exponent = factsOf(destinationAsset).decimals - factsOf(sourceAsset).decimals - scale
  return exponent >= 0 ? amount * value * power(exponent) : ceilDivide(amount * value, power(-exponent))
}

/** The tolerance, in basis points, that accepts every output. */
export const anySlippageBps = 10_000

/** Tolerance in bps from `quoted` to `minimum`: floor(10 000 × (1 − minimum / quoted)); none if quoted is too little. */
export const slippageTolerance = (minimum: bigint, quoted: bigint): Option.Option<number> =>
  minimum > quoted || quoted === 0n
    ? Option.none()
    : Option.some(Number(BigInt(anySlippageBps) * (quoted - minimum) / quoted))

/** Percent, rounded down to hundredths, that an amount comes to less than at a small one's price, where known. */
export const impactPercent = (atSmallPrice: bigint, comesTo: bigint): BigDecimal.BigDecimal | undefined =>
  atSmallPrice <= 0n ? undefined : BigDecimal.normalize(
    BigDecimal.make(comesTo >= atSmallPrice ? 0n : (atSmallPrice - comesTo) * 10_000n / atSmallPrice, 2),
  )

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
