import { BigDecimal, Schema } from "effect"

/** An amount's worth in US dollars, to the millionth, at a price of its time: an estimate for people. */
export const UsdValue = Schema.BigDecimal.pipe(Schema.brand("UsdValue"))
export type UsdValue = typeof UsdValue.Type

export const noValue: UsdValue = UsdValue.make(BigDecimal.fromBigInt(0n))

export const addValues = (one: UsdValue, other: UsdValue): UsdValue =>
  UsdValue.make(BigDecimal.sum(one, other))

/** The digits behind the point that a value keeps. */
const digits = 6

/** The value of a native amount at a price for one native unit. */
export const valueAt = (price: BigDecimal.BigDecimal, native: bigint): UsdValue =>
  UsdValue.make(BigDecimal.round(BigDecimal.multiply(price, BigDecimal.fromBigInt(native)), {
    scale: digits,
    mode: "half-from-zero",
  }))
