import type { BigDecimal } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import { type PriceAt, type PriceOf, worthAt } from "#domain/money/UsdValue.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"

/** The value of an amount in US dollars; none where there is no amount, or no price. */
export type ValueOf = (asset: AssetId, native: bigint | undefined) => BigDecimal.BigDecimal | undefined

export const noValue: ValueOf = () => undefined

export const noPrices: PriceAt = () => () => undefined

/** What is made with values, and the time of the oldest price that was used (decision 69). */
export const valued = <A extends object>(priceOf: PriceOf, make: (valueOf: ValueOf) => A) => {
  let oldest: EpochMillis | undefined
  const made = make((asset, native) => {
    const price = native === undefined ? undefined : priceOf(asset)
    if (native === undefined || price === undefined) return undefined
    if (oldest === undefined || price.at < oldest) oldest = price.at
    return worthAt(price.usd, native)
  })
  return { ...made, ...optionalMembers(oldest, (at) => ({ valueUsdAt: at, valueUsdAtDate: toIsoDate(at) })) }
}
