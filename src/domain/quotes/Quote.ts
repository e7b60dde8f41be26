import { BigDecimal } from "effect"
import type { Address } from "../chains/Address.ts"
import type { NativeAmount } from "../money/Amount.ts"
import type { AssetId } from "../chains/Asset.ts"
import type { Bps } from "../money/Bps.ts"
import type { ExactOutput, SwapAmount } from "./ExactOutput.ts"
import type { DcaParameters } from "../swaps/SwapRequest.ts"
import type { Fee } from "../money/Fee.ts"
import { type Price, priceWithin } from "../money/Price.ts"
import type { ProviderName } from "../ProviderName.ts"
import type { EpochMillis } from "../Time.ts"

/** A request for a quote; the same for every provider. */
export interface QuoteRequest {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amount: SwapAmount
  /** The broker's whole commission: the account's default reconciled with the request's override (decision 7). */
  readonly commissionBps: Bps
  /** The address that will send the source asset, if known: some upstreams quote for an address. */
  readonly sender?: Address
  /** The address that will get the destination asset, if known. */
  readonly recipient?: Address
}

/** An amount and the asset whose smallest unit it counts. */
export interface AssetAmount {
  readonly asset: AssetId
  readonly amount: NativeAmount
}

export interface PoolInfo {
  readonly baseAsset: AssetId
  readonly quoteAsset: AssetId
  readonly fee: AssetAmount
}

/** Estimated durations of the three parts of a swap, in milliseconds. */
export interface Durations {
  readonly deposit: number
  readonly swap: number
  readonly egress: number
}

/** The estimated milliseconds from when the deposit is credited to the payout. */
export const afterDeposit = ({ egress, swap }: Durations): number => swap + egress

/** The figures that plain and boosted quotes share. */
export interface QuoteFigures {
  readonly ingress: AssetAmount
  /** Present only when the route goes through an intermediate asset. */
  readonly intermediate?: AssetAmount
  /** The amount that arrives, net of every fee. */
  readonly egress: AssetAmount
  readonly fees: ReadonlyArray<Fee>
  readonly pools: ReadonlyArray<PoolInfo>
  readonly lowLiquidityWarning: boolean
  readonly durations: Durations
  /** All durations together, in milliseconds, as the provider states it. */
  readonly totalDuration: number
}

/** The faster offer, for a Bitcoin deposit that is credited before its confirmations (decision 21). */
export interface BoostQuote extends QuoteFigures {
  /** As the upstream states it; absent where it states none. */
  readonly estimatedPrice?: Price
  readonly estimatedBoostFeeBps: Bps
  /** The lowest limit at which the deposit is boosted: the fee may come to this much, and never to more. */
  readonly maximumBoostFeeBps: Bps
}

/** The only asset whose deposits are boosted. */
export const boostedAsset: AssetId = "btc.btc"

/** The highest limit of a boost fee that a request can have, in basis points (decision 10). */
export const mostBoostFeeBps = 100

/** A provider's offer. */
export interface Quote extends QuoteFigures {
  readonly platform: ProviderName
  /** Present on a `dca` quote, absent on a `regular` one. */
  readonly dca?: DcaParameters
  readonly estimatedPrice: Price
  /** The time until which the upstream holds to the offer; absent where it states none. */
  readonly expiresAt?: EpochMillis
  /** In percent, exact. */
  readonly recommendedSlippageTolerancePercent: BigDecimal.BigDecimal
  /** Percent that this amount's price is below a small one's, without fees. Absent where the upstream has no figures. */
  readonly priceImpactPercent?: BigDecimal.BigDecimal
  readonly boostQuote?: BoostQuote
  /** What is promised where the output is what was asked for; the ingress is then what is asked for it at present. */
  readonly exactOutput?: ExactOutput
  /**
   * What a plain payment of the source asset costs its sender on the source chain, as the upstream states it. In the
   * source asset, or in the destination asset where that is the coin of the source chain: a cost in any other asset
   * could not be compared. Absent where the upstream states none.
   */
  readonly depositCost?: AssetAmount
  /** The least of the pair that is credited and covers the payout, in the source asset; where the upstream tells it. */
  readonly minimumDeposit?: NativeAmount
}

/** An offer with what the service itself adds to it. */
export interface TimedQuote extends Quote {
  /** Its end: the upstream's, or where it states none our own (`QUOTE_LIFETIME`). */
  readonly expiresAt: EpochMillis
  /** The tolerance of the price limit that it opens with alone: the recommended one, `SLIPPAGE_TOLERANCE_MOST` at most. */
  readonly slippageTolerancePercent: BigDecimal.BigDecimal
}

/** The price limit that an offer opens with alone. */
export const limitOf = ({ estimatedPrice, slippageTolerancePercent }: TimedQuote): Price =>
  priceWithin(estimatedPrice, slippageTolerancePercent)

/** The tolerance that is taken from a provider's recommendation: the caller has not said so much, so not every one. */
export const toleranceWithin = (
  most: BigDecimal.BigDecimal,
  recommended: BigDecimal.BigDecimal,
): BigDecimal.BigDecimal => BigDecimal.min(most, recommended)
