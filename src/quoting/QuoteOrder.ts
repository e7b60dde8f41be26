import { type BigDecimal, Predicate, Result } from "effect"
import type { NativeAmount } from "../domain/Amount.ts"
import type { AssetId } from "../domain/Asset.ts"
import { type Issues, issuesOf } from "../domain/Issues.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { alreadyTold, amountOf, differentAssets, knownPlatform, present } from "../domain/RequestRules.ts"

/** Quotes that a caller asks for, as far as the request could be read. */
export interface QuoteWish {
  readonly sourceAsset?: AssetId
  readonly destinationAsset?: AssetId
  /** A human amount, or native units already. */
  readonly amount?: BigDecimal.BigDecimal | NativeAmount
  readonly commissionBps?: number
  readonly platform?: string
}

/** Quotes that a caller asks for, after every rule; the commission is still the caller's. */
export interface QuoteOrder {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amount: NativeAmount
  readonly commissionBps: number | undefined
  readonly platform: ProviderName | undefined
}

const nativeAmount = (wish: QuoteWish): Result.Result<NativeAmount, Issues> => {
  const { amount, sourceAsset } = wish
  if (amount === undefined || sourceAsset === undefined) return alreadyTold
  return Predicate.isBigInt(amount) ? Result.succeed(amount) : amountOf(sourceAsset, amount)
}

/** The order, or everything that is wrong with the wish. `platforms` are the enabled providers. */
export const quoteOrder = (
  wish: QuoteWish,
  platforms: ReadonlyArray<ProviderName>,
): Result.Result<QuoteOrder, Issues> => {
  const parts = {
    sourceAsset: present(wish.sourceAsset),
    destinationAsset: present(wish.destinationAsset),
    amount: nativeAmount(wish),
    commissionBps: Result.succeed(wish.commissionBps),
    platform: knownPlatform(wish.platform, platforms),
    pair: differentAssets(wish.sourceAsset, wish.destinationAsset),
  }
  return Result.mapBoth(Result.all(parts), {
    onFailure: () => issuesOf(Object.values(parts)),
    onSuccess: ({ pair: _, ...order }) => order,
  })
}
