import { BigDecimal, Schema } from "effect"
import { type AssetId, factsOf } from "../chains/Asset.ts"
import { type EpochMillis, hourMillis } from "../Time.ts"

/** An amount's worth in US dollars, to the millionth, at a price of its time: an estimate for people. */
export const UsdValue = Schema.BigDecimal.pipe(Schema.brand("UsdValue"))
export type UsdValue = typeof UsdValue.Type

export const noValue: UsdValue = UsdValue.make(BigDecimal.fromBigInt(0n))

export const addValues = (one: UsdValue, other: UsdValue): UsdValue =>
  UsdValue.make(BigDecimal.sum(one, other))

/** The digits behind the point that a value keeps. */
const digits = 6

/**
 * The value of a native amount at a price for one native unit; a half is rounded away from zero, as in the database.
 * For responses: `BigDecimal.round` and the brand take several times as long.
 */
export const worthAt = ({ scale, value }: BigDecimal.BigDecimal, native: bigint): BigDecimal.BigDecimal => {
  const exact = value * native
  if (scale <= digits) return BigDecimal.make(exact, scale)
  const unit = 10n ** BigInt(scale - digits)
  return BigDecimal.make((exact + (exact < 0n ? -unit : unit) / 2n) / unit, digits)
}

/** The same as a value that is added up. */
export const valueAt = (price: BigDecimal.BigDecimal, native: bigint): UsdValue =>
  UsdValue.make(worthAt(price, native))

/** A price in US dollars: of one native unit, or of a whole one where that is said. */
export interface UsdPrice {
  readonly usd: BigDecimal.BigDecimal
  /** When it was learnt; of a recorded price the beginning of its hour. */
  readonly at: EpochMillis
}

/** Prices of whole units. */
export type UsdPrices = ReadonlyMap<AssetId, UsdPrice>

/** The price of one native unit; none where it is not known. */
export type PriceOf = (asset: AssetId) => UsdPrice | undefined

/** The age up to which a present price is believed, in milliseconds. */
export const believedFor = hourMillis

/** Of prices of whole units those that are believed at a time, for native units. */
export const presentPrices =
  ({ at, prices }: { readonly at: EpochMillis; readonly prices: UsdPrices }): PriceOf => (asset) => {
    const price = prices.get(asset)
    if (price === undefined || at - price.at > believedFor) return undefined
    const { scale, value } = price.usd
    return { usd: BigDecimal.make(value, scale + factsOf(asset).decimals), at: price.at }
  }

/** The prices of the hour of a time; none where there is no time. */
export type PriceAt = (at: EpochMillis | undefined) => PriceOf
