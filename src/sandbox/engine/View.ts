import type { BigDecimal } from "effect"
import type { Address } from "#domain/chains/Address.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Bps } from "#domain/money/Bps.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import type { DcaParameters } from "#domain/swaps/SwapRequest.ts"
import type { Price } from "#domain/money/Price.ts"
import type { Durations, QuoteFigures } from "#domain/quotes/Quote.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { EpochMillis } from "#domain/Time.ts"

/** An opened channel, as the broker returns it (chainflip/wire.md 2.2). */
export interface ChannelOpened {
  readonly _tag: "ChannelOpened"
  readonly id: ChannelId
  readonly depositAddress: Address
  readonly sourceExpiryBlock: number
  /** The estimated time of that block. */
  readonly estimatedExpiryTime: EpochMillis
  /** In native units of flip.eth. */
  readonly openingFee: NativeAmount
}

/** A transaction that was sent, whether or not the network credits it. */
export interface DepositSent {
  readonly _tag: "DepositSent"
  /** Hash, signature or `block-index`, in the source chain's form. */
  readonly transactionReference: string
}

export interface Controlled {
  readonly _tag: "Controlled"
}

/** A swap's record (chainflip/wire.md 3.7) in the domain's terms; members that a state lacks are absent. */
export interface SwapView extends SwapStatus {
  /** In milliseconds; `estimatedDuration` is their sum. */
  readonly estimatedDurations: Durations
}

export interface QuoteQuery {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amount: NativeAmount
  /** The commission of the broker and the affiliates together. */
  readonly commissionBps: Bps
  readonly dcaEnabled: boolean
  /** Whether the swap begins with a transaction to its chain's vault, and needs no channel. */
  readonly isVaultSwap?: boolean
  /** The gas budget in the destination chain's gas asset; it is added to the egress fee. */
  readonly ccmGasBudget?: NativeAmount
}

/** Members of plain and boosted offers (chainflip/wire.md 3.2). Fees in wire order, without liquidity. */
interface OfferFigures extends QuoteFigures {
  /** Absent on a REGULAR offer. */
  readonly dca?: DcaParameters
  /** Exact to 20 places behind the point, rounded half up, as the upstream prints it. */
  readonly estimatedPrice: Price
  readonly recommendedSlippageTolerancePercent: BigDecimal.BigDecimal
  /** Absent if an asset has no oracle price. */
  readonly recommendedLivePriceSlippageTolerancePercent?: BigDecimal.BigDecimal
  readonly recommendedRetryDurationMinutes: number
}

export interface BoostOffer extends OfferFigures {
  readonly estimatedBoostFeeBps: Bps
  readonly maximumBoostFeeBps: Bps
}

/** One element of `GET /v2/quote`: REGULAR without `dca`, DCA with it. REGULAR comes first. */
export interface Offer extends OfferFigures {
  readonly boostQuote?: BoostOffer
}

/** The fees that a simulation may leave out (chainflip/wire.md 1.3, parameter 6). */
export type ExcludableFee = "IngressDepositChannel" | "IngressVaultSwap" | "Network" | "Egress"

export interface RateQuery {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amount: NativeAmount
  readonly commissionBps: Bps
  readonly numberOfChunks?: number
  readonly ccmGasBudget?: NativeAmount
  readonly excludedFees?: ReadonlyArray<ExcludableFee>
}

/** The answer of `cf_swap_rate_v3`; network fee and commission are in usdc.eth. */
export interface SwapRate {
  /** The input of the second leg; absent on routes with one leg. */
  readonly intermediary?: NativeAmount
  /** Net of the egress fee. */
  readonly output: NativeAmount
  readonly ingressFee: NativeAmount
  readonly networkFee: NativeAmount
  readonly brokerCommission: NativeAmount
  readonly egressFee: NativeAmount
}

/** The published figures and switches of an asset (chainflip/wire.md 1.5, 3.8), in native units of the asset. */
export interface AssetView {
  readonly minimumDeposit: NativeAmount
  /** Absent: no limit. */
  readonly maximumSwap?: NativeAmount
  readonly minimumChunk: NativeAmount
  readonly ingressFee: NativeAmount
  readonly egressFee: NativeAmount
  readonly egressDustLimit: NativeAmount
  /** Absent: no oracle price. */
  readonly oracleProtectionBps?: Bps
  readonly depositEnabled: boolean
  readonly egressEnabled: boolean
  readonly creationEnabled: boolean
  readonly boostEnabled: boolean
}

/** What an account was paid of the fees of a swap; the asset in the network's own word where it is none of ours. */
export interface FeePaid {
  readonly account: string
  readonly asset: string
  readonly amount: bigint
}
