import { type BigDecimal, Predicate, Result } from "effect"
import type { NativeAmount } from "../domain/Amount.ts"
import type { AssetId } from "../domain/Asset.ts"
import { type Issues, issuesOf } from "../domain/Issues.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { alreadyTold, amountOf, differentAssets, knownPlatform, present } from "../domain/RequestRules.ts"

/** A caller's request for quotes, as far as it could be read. */
export interface QuoteWish {
  readonly sourceAsset?: AssetId
  readonly destinationAsset?: AssetId
  /** A human amount, or already native units. */
  readonly amount?: BigDecimal.BigDecimal | NativeAmount
  readonly commissionBps?: number
  readonly platform?: string
}

/** A caller's request for quotes that passed every rule; the commission is still the caller's. */
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

/** The order, or everything that is wrong with the request. `platforms` are the enabled providers. */
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
