import type { Address, BrokerAccount } from "#domain/chains/Address.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { Bps } from "#domain/money/Bps.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { CcmPayload, DcaParameters } from "#domain/swaps/SwapRequest.ts"
import type { Chunk, Egress, Failure, SwapStatus } from "#domain/swaps/Swap.ts"
import type { Price } from "#domain/money/Price.ts"
import type { BlockIndex, EpochMillis } from "#domain/Time.ts"
import type { Timeline } from "./EventQueue.ts"
import type { BigDecimal } from "effect"
import type { Durations, QuoteFigures } from "#domain/quotes/Quote.ts"

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

export interface RateQuery extends Omit<QuoteQuery, "dcaEnabled" | "isVaultSwap"> {
  readonly numberOfChunks?: number
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

/** An asset: the figures that the network publishes, and its price in native usdc.eth for a whole unit. */
export interface AssetState extends AssetView {
  readonly price: bigint
  /** The USDC side of its pool; 0 for usdc.eth. */
  readonly depth: bigint
}

/** A boost pool of btc.btc; native units. */
export interface BoostPool {
  readonly tierBps: Bps
  available: bigint
  lent: bigint
}

/** The terms of a deposit, given when its channel was opened, or by the transaction of a vault swap itself. */
export interface ChannelTerms {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly destinationAddress: Address
  readonly brokerCommissionBps: Bps
  readonly affiliates: ReadonlyArray<{ readonly account: BrokerAccount; readonly commissionBps: Bps }>
  readonly maximumBoostFeeBps: Bps
  readonly retryDurationBlocks: number
  readonly refundAddress: Address
  readonly minimumPriceX128: bigint
  readonly minimumPrice: Price
  readonly maximumOraclePriceSlippageBps?: Bps
  /** Present only with two chunks or more. */
  readonly dca?: DcaParameters
  readonly ccm?: CcmPayload
}

export interface Channel extends ChannelTerms {
  readonly id: ChannelId
  readonly createdAt: EpochMillis
  readonly depositAddress: Address
  readonly openedThroughBackend: boolean
  readonly expectedDepositAmount?: NativeAmount
  readonly expiryBlock: number
  readonly expiryTime: EpochMillis
  /** Whether the broker rejects the next deposit that is to be credited. */
  rejectsNextDeposit: boolean
  /** The latest deposit, and the latest that was credited or refused, which takes precedence in the record. */
  latestDeposit?: Deposit
  concludedDeposit?: Deposit
}

/** The operator's broker account, apart from what it has earned. FLIP in native units. */
export interface Operator {
  /** All its FLIP on the state chain, with the bond. */
  flip: bigint
  bond: bigint
  /** The number of its private channel, which payloads of vault swaps from Bitcoin need. */
  privateChannel?: number
  privateChannelCount: number
  /** The only address that assets on Ethereum are withdrawn to, once it is bound. */
  boundAddress?: Address
  /** The least commission of its own in a vault swap. */
  minimumVaultFeeBps: Bps
}

export interface Affiliate {
  readonly account: BrokerAccount
  /** The byte that stands for the account in payloads. */
  readonly shortId: number
  /** The only address that the account's share is paid to. */
  readonly withdrawalAddress: Address
}

/** A withdrawal of everything that an account had earned in an asset. */
export interface Withdrawal {
  readonly account: BrokerAccount
  readonly transactionHash: string
  /** The egress fee, in the asset. */
  readonly fee: NativeAmount
  readonly payment: Payment
}

/** A transaction to a deposit address or to a vault that the network will witness or has witnessed. */
export interface Deposit {
  readonly terms: ChannelTerms
  /** Absent for a vault swap. */
  readonly channel?: Channel
  readonly amount: NativeAmount
  readonly transactionReference: string
  /** The block of the source chain that includes the transaction. */
  readonly inclusionBlock: number
  fate:
    | { readonly _tag: "Pending" }
    | { readonly _tag: "Credited"; readonly request: SwapRequest }
    | { readonly _tag: "Failed"; readonly failure: Failure; readonly refund?: Payment }
  boost?:
    | {
      readonly _tag: "Boosted"
      readonly feeBps: Bps
      readonly at: EpochMillis
      readonly blockIndex: BlockIndex
    }
    | { readonly _tag: "Skipped"; readonly at: EpochMillis; readonly blockIndex: BlockIndex }
}

export interface Payment {
  readonly asset: AssetId
  readonly destination: Address
  /** The purpose of the payment, on which the name of a failure depends. */
  readonly kind: "swap" | "refund" | "withdrawal"
  egress: Egress
  /** Its number among the payments of its chain; absent where it was too small to be made. */
  readonly number?: number
  /** The second payment to the same destination, by another way, after this one failed. */
  fallback?: Payment
}

/** A swap of a credited deposit. Amounts in the assets of chainflip/wire.md 3.7, fees summed over all chunks. */
export interface SwapRequest {
  readonly id: number
  readonly terms: ChannelTerms
  readonly deposit: Deposit
  readonly witnessedAt: EpochMillis
  readonly witnessedBlockIndex: BlockIndex
  /** The amount after the ingress and boost fees. */
  readonly inputAmount: bigint
  readonly ingressFee: bigint
  readonly boostFee: bigint
  remainingInput: bigint
  remainingChunks: number
  executedChunks: number
  swappedInput: bigint
  swappedIntermediate: bigint
  swappedOutput: bigint
  networkFee: bigint
  brokerFee: bigint
  /** In the destination asset. */
  egressFee: bigint
  /** Both in the source asset. */
  refundFee: bigint
  refundEgressFee: bigint
  lastExecutedChunk?: Chunk
  currentChunk?: Chunk
  /** The last state-chain block at which the current chunk may be tried. */
  retryUntilBlock: number
  swapPayment?: Payment
  refundPayment?: Payment
}

/** The amount that a pool lends to a boosted deposit until the deposit is confirmed; native units. */
export interface Loan {
  readonly pool: BoostPool
  readonly lent: bigint
  readonly earned: bigint
}

/** The order of events within one block: deposits, then swaps, then payments. */
export const phases = ["repayBoost", "credit", "boost", "swap", "broadcast", "witnessEgress"] as const
type Phase = typeof phases[number]

/** The two sides of a pool, in native units. */
export interface Reserves {
  readonly base: bigint
  readonly quote: bigint
}

/** The whole state. Its members are the engine's own: other code uses the functions of Network.ts. */
export interface Network extends Timeline<Phase> {
  readonly seed: string
  readonly genesis: EpochMillis
  /** Assets that something has asked for (`assetState`). */
  readonly assets: Map<AssetId, AssetState>
  /** In ascending order of tiers. */
  boostPools: ReadonlyArray<BoostPool>
  swapsEnabled: boolean
  quotingMaintenance: boolean
  swappingMaintenance: boolean
  /** The channels by the text of their id, in the order of opening. */
  readonly channels: Map<string, Channel>
  readonly channelsByAddress: Map<string, Channel>
  readonly channelCounts: Map<Chain, number>
  readonly depositsByTransaction: Map<string, Deposit>
  readonly requests: Map<string, SwapRequest>
  transactionCount: number
  readonly operator: Operator
  /** The operator's affiliates by their short ids. */
  readonly affiliates: Map<number, Affiliate>
  /** What accounts have earned and not withdrawn, in native units. */
  readonly balances: Map<BrokerAccount, Map<AssetId, bigint>>
  readonly withdrawals: Array<Withdrawal>
  /** The price of a channel from each chain, in native units of flip.eth. */
  readonly openingFees: Map<Chain, bigint>
  readonly egressCounts: Map<Chain, number>
  /** The number of the operator's transactions on the state chain so far. */
  extrinsicCount: number
  withdrawalsEnabled: boolean
  /** Whether the node tells that it has the latest blocks; it always has them. */
  nodeInSync: boolean
  /** Deposits of assets whose crediting is switched off. */
  readonly heldDeposits: Map<AssetId, Array<Deposit>>
  readonly plannedEgress: Map<AssetId, Array<"abort" | "fallback">>
  /** The latest state-chain block with events, and their number, for block indexes. */
  indexedBlock: number
  indexesUsed: number
  /** The pools that swaps have moved within a block; arbitrage restores them at its end. */
  tradedBlock: number
  readonly traded: Map<AssetId, Reserves>
}
