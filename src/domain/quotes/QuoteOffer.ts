import type { BigDecimal } from "effect"
import type { NativeAmount } from "../money/Amount.ts"
import type { AssetId } from "../chains/Asset.ts"
import type { Bps } from "../money/Bps.ts"
import type { DcaParameters } from "../swaps/SwapRequest.ts"
import type { Price } from "../money/Price.ts"
import type { ProviderName } from "../ProviderName.ts"
import type { EpochMillis } from "../Time.ts"

/** What a quote was given for: all that an opening by its id is held to. */
export interface QuoteOffer {
  readonly platform: ProviderName
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  /** Native units of the source asset. */
  readonly amount: NativeAmount
  /** Native units of the destination asset. */
  readonly egress: NativeAmount
  /** The output is what was asked for; the amount is what was asked for it then. */
  readonly isOutputExact?: true
  readonly estimatedPrice: Price
  /** In percent, exact. */
  readonly recommendedSlippageTolerancePercent: BigDecimal.BigDecimal
  /** The commission that the figures hold, of all brokers together. */
  readonly commissionBps: Bps
  readonly dca?: DcaParameters
  /** The boosted offer beside it: its fee, the lowest limit at which it is boosted, and what arrives then. */
  readonly boost?: { readonly feeBps: Bps; readonly maximumFeeBps: Bps; readonly egress: NativeAmount }
  /** When it was given; absent in an id that an earlier version wrote. */
  readonly quotedAt?: EpochMillis
  /** When it is over. */
  readonly expiresAt: EpochMillis
}
