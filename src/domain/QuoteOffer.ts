import { type BigDecimal, Schema } from "effect"
import type { NativeAmount } from "./Amount.ts"
import type { AssetId } from "./Asset.ts"
import type { Bps } from "./Bps.ts"
import type { DcaParameters } from "./SwapRequest.ts"
import type { Price } from "./Price.ts"
import type { ProviderName } from "./ProviderName.ts"
import type { EpochMillis } from "./Time.ts"

/** The most characters of an id, so that one fits into a path and a query together. */
export const longestQuoteId = 512

/** The id of a quote: opaque to clients, made of characters that stand in a URL as they are. */
export const QuoteId = Schema.String
  .check(Schema.isPattern(new RegExp(`^[A-Za-z0-9._~-]{1,${longestQuoteId}}$`)))
  .pipe(Schema.brand("QuoteId"))
export type QuoteId = typeof QuoteId.Type

/** What a quote was given for: all that an opening by its id is held to. */
export interface QuoteOffer {
  readonly platform: ProviderName
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  /** Native units of the source asset. */
  readonly amount: NativeAmount
  /** Native units of the destination asset. */
  readonly egress: NativeAmount
  readonly estimatedPrice: Price
  /** In percent, exact. */
  readonly recommendedSlippageTolerancePercent: BigDecimal.BigDecimal
  /** The commission that the figures hold, of all brokers together. */
  readonly commissionBps: Bps
  readonly dca?: DcaParameters
  /** The boosted offer beside it: its fee, and what arrives then. */
  readonly boost?: { readonly feeBps: Bps; readonly egress: NativeAmount }
  /** When it is over. */
  readonly expiresAt: EpochMillis
}
