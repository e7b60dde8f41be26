import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { grouped } from "#domain/figures.ts"

/** `value` × 10^−`places` with all its places, zeros too, so that the points of a column stand below each other. */
export const fixed = (value: bigint, places: number): string => {
  const digits = `${value < 0n ? -value : value}`.padStart(places + 1, "0")
  const point = digits.length - places
  return grouped(
    `${value < 0n ? "-" : ""}${digits.slice(0, point)}${places === 0 ? "" : `.${digits.slice(point)}`}`,
  )
}

/** A quotient rounded to the nearest whole number, a half away from zero; the divisor is above zero. */
export const roundedDivision = (value: bigint, divisor: bigint): bigint =>
  (2n * value + (value < 0n ? -divisor : divisor)) / (2n * divisor)

/** The decimals of an amount in a list, by what a unit is worth: one shown last is worth less than a few dollars. */
const placesOf: Readonly<Record<string, number>> = {
  ...Object.fromEntries(["BTC", "WBTC", "CBBTC"].map((ticker) => [ticker, 5])),
  ...Object.fromEntries(["SOL", "DOT", "LTC", "AVAX", "DASH"].map((ticker) => [ticker, 3])),
  ...Object.fromEntries(
    ["USDC", "USDT", "DAI", "FLIP", "TRX", "XRP", "DOGE", "POL"].map((ticker) => [ticker, 2]),
  ),
}
const usualPlaces = 4

/** An amount as lists show it, rounded to the nearest, a half away from zero; where that is zero it is `<0.00001`. */
export const listAmount = (asset: AssetId, native: bigint): string => {
  const { decimals, ticker } = factsOf(asset)
  const places = Math.min(decimals, placesOf[ticker] ?? usualPlaces)
  const shown = roundedDivision(native, 10n ** BigInt(decimals - places))
  if (shown === 0n && native !== 0n) return native > 0n ? `<${fixed(1n, places)}` : `>${fixed(-1n, places)}`
  return fixed(shown, places)
}
