import { type AssetId, factsOf } from "#domain/chains/Asset.ts"

/** The decimals of a reference price, which is in native usdc.eth. */
export const priceDecimals = factsOf("usdc.eth").decimals

/** An amount in USD at the price of one whole unit, rounded down to so many places: `"6.237600"`. */
export const inUsd = (asset: AssetId, price: bigint, amount: bigint, places: number): string => {
  const worth = amount * price * 10n ** BigInt(places) /
    10n ** BigInt(factsOf(asset).decimals + priceDecimals)
  const digits = `${worth}`.padStart(places + 1, "0")
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
