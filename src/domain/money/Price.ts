import { BigDecimal, Schema } from "effect"
import { NativeAmount, noAmount } from "./Amount.ts"
import { type AssetId, factsOf } from "../chains/Asset.ts"
import { Bps } from "./Bps.ts"

/** Units of the destination asset for one unit of the source asset, in human terms. Exact. */
export const Price = Schema.BigDecimal
  .check(Schema.isGreaterThanOrEqualToBigDecimal(BigDecimal.fromBigInt(0n)))
  .pipe(Schema.brand("Price"))
export type Price = typeof Price.Type

/** The price limit that accepts every price (decision 6). */
export const anyPrice: Price = Price.make(BigDecimal.fromBigInt(0n))

const one = 2n ** 128n

const decimalShift = (source: AssetId, destination: AssetId): number =>
  factsOf(destination).decimals - factsOf(source).decimals

const roundHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator)

/** The price as Q128: smallest destination units a smallest source unit, half up (chainflip/wire.md 1.1). */
export const toX128 = (price: Price, source: AssetId, destination: AssetId): bigint => {
  const exponent = decimalShift(source, destination) - price.scale
  return exponent >= 0
    ? price.value * one * 10n ** BigInt(exponent)
    : roundHalfUp(price.value * one, 10n ** BigInt(-exponent))
}

/** The least output of a native amount at a price limit, half up (chainflip/wire.md 2.3). */
export const outputAt = (price: Price, amount: bigint, source: AssetId, destination: AssetId): bigint => {
  const exponent = decimalShift(source, destination) - price.scale
  const product = price.value * amount
  return exponent >= 0 ? product * 10n ** BigInt(exponent) : roundHalfUp(product, 10n ** BigInt(-exponent))
}

/** The lowest price limit at which a native amount comes to at least `least` native units, rounded up. */
export const priceOfLeast = (least: bigint, amount: bigint, source: AssetId, destination: AssetId): Price => {
  const places = factsOf(destination).decimals + digitCount(amount)
  const product = least * 10n ** BigInt(factsOf(source).decimals + places)
  const divisor = amount * 10n ** BigInt(factsOf(destination).decimals)
  return Price.make(BigDecimal.normalize(BigDecimal.make((product + divisor - 1n) / divisor, places)))
}

/** The most native units for which a limit asks no more than an output (inverse of `priceOfLeast`); undefined: any. */
export const mostFor = (
  output: bigint,
  limit: Price,
  source: AssetId,
  destination: AssetId,
): bigint | undefined => {
  if (limit.value <= 0n) return undefined
  const exponent = decimalShift(source, destination) - limit.scale
  return exponent >= 0
    ? output / (limit.value * 10n ** BigInt(exponent))
    : output * 10n ** BigInt(-exponent) / limit.value
}

const digitCount = (value: bigint): number => `${value}`.length

/** The shortest price that `toX128` turns into exactly this number, so that a price comes back as it was sent. */
export const fromX128 = (x128: bigint, source: AssetId, destination: AssetId): Price => {
  if (x128 === 0n) return anyPrice
  const shift = -decimalShift(source, destination)
  const numerator = shift >= 0 ? x128 * 10n ** BigInt(shift) : x128
  const denominator = shift >= 0 ? one : one * 10n ** BigInt(-shift)
  // The exact quotient ends: the only primes of its denominator are 2 and 5. This many places are always enough.
  const exactPlaces = 128 + Math.max(0, -shift)
  const firstPlace = digitCount(denominator) - digitCount(numerator) - 1
  for (let places = firstPlace; places < exactPlaces; places++) {
    const scaled = places >= 0
      ? roundHalfUp(numerator * 10n ** BigInt(places), denominator)
      : roundHalfUp(numerator, denominator * 10n ** BigInt(-places))
    const candidate = Price.make(BigDecimal.normalize(BigDecimal.make(scaled, places)))
    if (toX128(candidate, source, destination) === x128) return candidate
  }
  return Price.make(
    BigDecimal.normalize(BigDecimal.make(numerator * 10n ** BigInt(exactPlaces) / denominator, exactPlaces)),
  )
}

/** The exact price limit for a slippage tolerance: estimatedPrice × (1 − slippage) (decision 6). */
export const minimumPrice = (estimatedPrice: Price, slippageTolerance: Bps): Price =>
  Price.make(BigDecimal.multiply(estimatedPrice, BigDecimal.make(BigInt(10_000 - slippageTolerance), 4)))

/** The price limit for a tolerance in percent, exact: estimatedPrice × (100 − tolerance) / 100. */
export const priceWithin = (estimatedPrice: Price, tolerancePercent: BigDecimal.BigDecimal): Price =>
  Price.make(BigDecimal.max(
    anyPrice,
    BigDecimal.multiply(
      estimatedPrice,
      BigDecimal.multiply(
        BigDecimal.subtract(BigDecimal.fromBigInt(100n), tolerancePercent),
        BigDecimal.make(1n, 2),
      ),
    ),
  ))

/** A price limit above the best price that is known: nothing is swapped unless the price rises. */
export interface OutOfReach {
  readonly limit: Price
  readonly best: Price
}

/** Whether a limit is above the best price that is known, and which. */
export const outOfReach = (limit: Price, best: Price | undefined): OutOfReach | undefined =>
  best !== undefined && BigDecimal.isGreaterThan(limit, best) ? { limit, best } : undefined

export interface QuotedOutput {
  /** Native units of the source asset. */
  readonly amount: NativeAmount
  /** Native units of the destination asset, net of every fee. */
  readonly egress: NativeAmount
  readonly estimatedPrice: Price
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
}

/** The output of a native amount at a price, in native units of the destination asset, rounded up or down. */
const outputRounded = (
  price: Price,
  { amount, destinationAsset, sourceAsset }: QuotedOutput,
  up: boolean,
): bigint => {
  const exponent = decimalShift(sourceAsset, destinationAsset) - price.scale
  const product = price.value * amount
  if (exponent >= 0) return product * 10n ** BigInt(exponent)
  const divisor = 10n ** BigInt(-exponent)
  return (product + (up ? divisor - 1n : 0n)) / divisor
}

/** What a quoted output lacks of its price times the amount: the fees outside the price, in the destination asset. */
export const feesBesidePrice = (quoted: QuotedOutput): bigint => {
  const whole = outputRounded(quoted.estimatedPrice, quoted, true)
  return whole > quoted.egress ? whole - quoted.egress : 0n
}

/** What arrives at the limit, in native units: the quoted output less the amount's loss. Other fees stay as quoted. */
export const leastOutput = (quoted: QuotedOutput, limit: Price): NativeAmount => {
  const lost = outputRounded(quoted.estimatedPrice, quoted, true) - outputRounded(limit, quoted, false)
  return lost >= quoted.egress
    ? noAmount
    : lost <= 0n
    ? quoted.egress
    : NativeAmount.make(quoted.egress - lost)
}
