import { BigDecimal } from "effect"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { reasonFactsOf } from "#domain/reasonFacts.ts"
import type { AssetSupport } from "../Provider.ts"

/** US dollars for a whole unit, as far as any provider states it. */
export type UsdPrices = ReadonlyMap<AssetId, BigDecimal.BigDecimal>

export const usdPricesOf = (all: ReadonlyArray<AssetSupport>): UsdPrices =>
  new Map(
    all.toReversed().flatMap(({ asset, usdPrice }) =>
      usdPrice === undefined || !BigDecimal.isPositive(usdPrice) ? [] : [[asset, usdPrice] as const]
    ),
  )

/** US dollars: above every upstream's least amount, and below what moves a price. */
const worth = 500n

const wholeUnit = (asset: AssetId): bigint => 10n ** BigInt(factsOf(asset).decimals)

/** The amount with its first two digits, so that an upstream with coarser numbers does not refuse it. */
const rounded = (amount: bigint): bigint => {
  const unit = 10n ** BigInt(Math.max(0, `${amount}`.length - 2))
  return (amount / unit) * unit
}

/** Prices and minimums are what upstreams say: no amount of theirs is too large or too small to be asked for. */
const native = (amount: bigint): NativeAmount => {
  if (amount < 1n) return NativeAmount.make(1n)
  return NativeAmount.make(rounded(amount < maximumNativeAmount ? amount : maximumNativeAmount))
}

/** An amount to ask for: so many dollars' worth, a whole unit where nobody knows the price, and above the minimum. */
export const firstAmount = ({ asset, minimumDeposit }: AssetSupport, prices: UsdPrices): NativeAmount => {
  const price = prices.get(asset)
  const wished = price === undefined
    ? wholeUnit(asset)
    : BigDecimal.scale(BigDecimal.divideUnsafe(BigDecimal.make(worth * wholeUnit(asset), 0), price), 0).value
  const least = 3n * (minimumDeposit ?? 0n)
  return native(wished < least ? least : wished)
}

/** The amount to ask for next where an upstream finds one too small or too large; nothing where that is not why. */
export const nextAmount = (asked: NativeAmount, reason: ProviderErrorReason): NativeAmount | undefined => {
  if (reason._tag === "DepositBelowMinimum") return native(3n * reason.minimum)
  if (reason._tag === "DepositAboveMaximum") return native(reason.maximum / 2n)
  const { needs } = reasonFactsOf(reason)
  return needs === undefined ? undefined : native(needs === "more" ? 10n * asked : asked / 10n)
}
