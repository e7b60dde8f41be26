import { BigDecimal, Option } from "effect"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { Price } from "#domain/money/Price.ts"

/** The assets of a price. */
export interface Assets {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
}

export const power = (exponent: number): bigint => 10n ** BigInt(exponent)

export const ceilDivide = (value: bigint, divisor: bigint): bigint => (value + divisor - 1n) / divisor

/**
 * The output for one unit of the source asset, rounded down after so many digits that the price times the amount,
 * rounded up, gives the output again: the quoted price is a price limit that the quote itself meets. There may be more
 * digits than it takes.
 */
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

/**
 * The tolerance, in basis points, that lets the output fall from `quoted` to `minimum` and not below:
 * floor(10 000 × (1 − minimum / quoted)). None where even the quoted output is too little.
 */
export const slippageTolerance = (minimum: bigint, quoted: bigint): Option.Option<number> =>
  minimum > quoted || quoted === 0n
    ? Option.none()
    : Option.some(Number(BigInt(anySlippageBps) * (quoted - minimum) / quoted))

/**
 * How far what an amount comes to is below what it would at the price of a small one, in percent, rounded down to
 * hundredths; undefined where nothing tells that price.
 */
export const impactPercent = (atSmallPrice: bigint, comesTo: bigint): BigDecimal.BigDecimal | undefined =>
  atSmallPrice <= 0n ? undefined : BigDecimal.normalize(
    BigDecimal.make(comesTo >= atSmallPrice ? 0n : (atSmallPrice - comesTo) * 10_000n / atSmallPrice, 2),
  )
