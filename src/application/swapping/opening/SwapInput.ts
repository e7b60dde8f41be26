import type { BigDecimal } from "effect"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { CcmPayload } from "#domain/swaps/SwapRequest.ts"
import type { QuoteId } from "#domain/quotes/BoundQuote.ts"

/** A caller's request to `/swap`, as far as it could be read; the names are the contract's. */
export interface SwapInput {
  readonly sourceAsset?: AssetId
  readonly destinationAsset?: AssetId
  readonly destinationAddress?: string
  readonly boostFee?: number
  readonly minimumPrice?: BigDecimal.BigDecimal
  readonly refundAddress?: string
  readonly retryDurationInBlocks?: number
  readonly numberOfChunks?: number
  readonly chunkIntervalBlocks?: number
  readonly commissionBps?: number
  readonly affiliate1?: string
  readonly affiliate1CommissionBps?: number
  readonly affiliate2?: string
  readonly affiliate2CommissionBps?: number
  readonly affiliate3?: string
  readonly affiliate3CommissionBps?: number
  readonly affiliate4?: string
  readonly affiliate4CommissionBps?: number
  readonly amount?: BigDecimal.BigDecimal
  readonly amountNative?: NativeAmount
  readonly amountOut?: BigDecimal.BigDecimal
  readonly amountOutNative?: NativeAmount
  readonly platform?: string
  readonly ccmPayload?: CcmPayload
  readonly quoteId?: QuoteId
  /** How far below the quote's estimated price the limit may be; in percent. */
  readonly slippageTolerancePercent?: BigDecimal.BigDecimal
  /** Names whose values could not be read: that was reported, and none of them counts as missing. */
  readonly unreadable?: ReadonlyArray<string>
}
