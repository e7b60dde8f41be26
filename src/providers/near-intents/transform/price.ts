import { BigDecimal } from "effect"
import type { NativeAmount } from "../../../domain/Amount.ts"
import { type AssetId, factsOf } from "../../../domain/Asset.ts"
import { Price } from "../../../domain/Price.ts"

/** The assets of a price. */
interface Assets {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
}

const power = (exponent: number): bigint => 10n ** BigInt(exponent)

/**
 * What arrives for one unit of the source asset, rounded down after so many digits that the price times the
 * amount, rounded up, is the output again: the quoted price is a price limit that the quote itself meets.
 */
export const estimatedPrice = (
  { sourceAsset, destinationAsset }: Assets,
  amountIn: bigint,
  amountOut: bigint,
): Price => {
  const source = factsOf(sourceAsset).decimals
  const destination = factsOf(destinationAsset).decimals
  const places = destination + `${amountIn}`.length
  const value = amountOut * power(source) * power(places) / (amountIn * power(destination))
  return Price.make(BigDecimal.normalize(BigDecimal.make(value, places)))
}

/** The least output, in native units, with which an amount meets a price limit. */
export const minimumOutput = (
  { sourceAsset, destinationAsset }: Assets,
  amount: NativeAmount,
  limit: Price,
): bigint => {
  const { value, scale } = BigDecimal.normalize(limit)
  const exponent = factsOf(destinationAsset).decimals - factsOf(sourceAsset).decimals - scale
  if (exponent >= 0) return amount * value * power(exponent)
  const divisor = power(-exponent)
  return (amount * value + divisor - 1n) / divisor
}
