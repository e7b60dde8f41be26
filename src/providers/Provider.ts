import { type BigDecimal, Data, Effect, type Option } from "effect"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { Address } from "#domain/chains/Address.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { ChannelId, DepositChannel, DepositLimits } from "#domain/swaps/Channel.ts"
import type { NodeCall, NodeReply } from "#domain/operations/NodeCall.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Quote, QuoteRequest } from "#domain/quotes/Quote.ts"
import type { RefundsTo } from "#domain/swaps/RefundsTo.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { Start } from "#domain/swaps/Start.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { EncodedPayload, PayloadMark, VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import type { Capabilities } from "./Capabilities.ts"
import type {
  AffiliateAccount,
  Comparison,
  Holding,
  OperatorAccount,
  PaymentStanding,
  TakenWithdrawal,
  WithdrawalOrder,
  WithdrawalTrace,
} from "#domain/operations/Treasury.ts"

/** A provider's present support of an asset. */
export interface AssetSupport {
  readonly asset: AssetId
  /** Whether the asset can be swapped from, in any of the provider's ways. */
  readonly ingress: boolean
  /** Whether the asset can be paid out. */
  readonly egress: boolean
  /** The amount below which deposits are not credited, in native units. Absent where the upstream states none. */
  readonly minimumDeposit?: NativeAmount
  /** The most that is swapped at once, in native units. Absent where the upstream states none. */
  readonly maximumDeposit?: NativeAmount
  /** An amount whose quotes have the `minimumDeposit` of their pair. Absent where refusals of too little name it. */
  readonly sampleDeposit?: NativeAmount
  /** US dollars for a whole unit by the provider, some minutes old; absent where it states no price. */
  readonly usdPrice?: BigDecimal.BigDecimal
  /** When the price was learnt; absent where the provider was asked for it just now. */
  readonly usdPriceAt?: EpochMillis
}

/** An upstream's answer about a swap. */
export interface Observed {
  readonly status: SwapStatus
  /** The body of the answer, letter by letter. It never holds a credential of ours. */
  readonly body: string
  /** The mark of the payload that a vault swap was made from, where the upstream tells it. */
  readonly mark?: PayloadMark
  /** Other swaps of the same channel, one for each further deposit; in any order, and as often as the upstream says. */
  readonly others?: ReadonlyArray<Observed>
}

/** A channel that was just opened, and its first record, which is `waiting`. */
export interface OpenedChannel {
  readonly channel: DepositChannel
  readonly status: SwapStatus
  /** Where a deposit to this channel goes back to. */
  readonly refundsTo: RefundsTo
  /** Whether the upstream uses each deposit address only once, so that the same address again is an error. */
  readonly isAddressUnique?: boolean
  /** Absent where the upstream states none. */
  readonly depositLimits?: DepositLimits
}

/** An upstream's knowledge of an opening whose answer was lost. */
export type OpeningTrace = Data.TaggedEnum<{
  Found: { readonly opened: OpenedChannel }
  /** Nothing was opened, provably, and nothing can be opened any more. */
  NothingOpened: object
  /** The upstream cannot tell, or cannot tell the opening from another with the same request. */
  NotKnown: object
}>
export const OpeningTrace = Data.taggedEnum<OpeningTrace>()

/** A deposit channel of the operator's account that an upstream lists, whether our records have it or not. */
export interface ListedChannel {
  readonly asset: AssetId
  readonly depositAddress: Address
}

/** Every channel of the operator's account that an upstream has, of the chains that it lists. */
export interface Listing {
  readonly channels: ReadonlyArray<ListedChannel>
  /** What an opening that was asked for in this time has opened is in the list; later ones may follow. */
  readonly complete: { readonly from: EpochMillis; readonly until: EpochMillis }
}

/** Nothing is listed, so nothing follows from it. */
export const nothingListed: Listing = {
  channels: [],
  complete: { from: EpochMillis.make(0), until: EpochMillis.make(0) },
}

/** An upstream's knowledge of a transaction. */
export type TransactionTrace = Data.TaggedEnum<{
  /** A deposit to this channel, of any account or broker (compare it with the records), and its swap if readable. */
  Deposit: { readonly channel: ChannelId; readonly said?: Observed }
  /** A vault swap, which said itself what to swap, through the operator's own broker. */
  VaultSwap: { readonly said: Observed }
}>
export const TransactionTrace = Data.taggedEnum<TransactionTrace>()

/** A balance that an upstream found at a deposit address; native units. */
export interface FoundBalance {
  /** Absent where the asset is none of ours. */
  readonly asset?: AssetId
  /** The upstream's own word for the asset. */
  readonly symbol: string
  readonly amount: NativeAmount
}

/** The outcome of asking an upstream to look for deposits to a channel again. */
export type Reindexed = Data.TaggedEnum<{
  /** It has looked, and takes up what it found. */
  Looked: { readonly found: ReadonlyArray<FoundBalance> }
  /** It has looked a short time ago, and does so again only later. */
  TooSoon: object
  /** It does not know the address. */
  NotKnown: object
}>
export const Reindexed = Data.taggedEnum<Reindexed>()

/** Deposit channels: addresses at which the upstream waits for the source asset. */
export interface Channels {
  /** Opens a deposit channel, in one call. A failure that may have opened one says `reached: true`. */
  readonly open: (request: SwapRequest) => Effect.Effect<OpenedChannel, ProviderError>
  /** Fails where a channel from this asset would be refused now, so that no quote is shown for it. Absent: unknown. */
  readonly mayOpen?: (sourceAsset: AssetId) => Effect.Effect<void, ProviderError>
  /** The operator's channels there, in a few calls. Absent where the upstream lists none that wait for a deposit. */
  readonly list?: Effect.Effect<Listing, ProviderError>
  /** Finds an opening by request and time. Absent: its outcome stays unknown. `unrecorded`: `list` less our records. */
  readonly findOpening?: (
    request: SwapRequest,
    requestedAt: EpochMillis,
    unrecorded: Listing,
  ) => Effect.Effect<OpeningTrace, ProviderError>
  /**
   * A swap of a channel; nothing while the upstream does not know the channel (yet). `known` is the last record of the
   * swap, with the channel's `reference`. Where each deposit is a swap of its own, the others stand beside it (`others`),
   * and one of them in its place where it has completed, or the upstream does not know it any more. An upstream state that
   * is not one of ours is logged, and the record keeps its state (decision 23).
   */
  readonly status: (
    channel: ChannelId,
    known: SwapStatus,
  ) => Effect.Effect<Option.Option<Observed>, ProviderError>
  /** The swap of a transaction; nothing while unknown, or not ours. Absent: channels are looked up themselves. */
  readonly findTransaction?: (
    transaction: string,
  ) => Effect.Effect<Option.Option<TransactionTrace>, ProviderError>
  /** Makes the upstream look again for deposits that it missed. Absent where it cannot. `known`: the last record. */
  readonly reindex?: (channel: ChannelId, known: SwapStatus) => Effect.Effect<Reindexed, ProviderError>
}

/** A transaction to look up, and the marks that may lead to its swap. */
export interface VaultSwapQuestion {
  /** The hash as its chain writes it. Chains spell the same hash differently; each spelling is a question. */
  readonly transaction: string
  /** Marks of payloads that the asking account has had, the newest first; none where `needsMarks` is absent. */
  readonly marks: ReadonlyArray<PayloadMark>
}

/** Which transactions are looked for: those made of payloads from these chains. */
export interface Sought {
  readonly chains: ReadonlyArray<Chain>
  /** Those that the upstream saw before were listed already, and may be left out. */
  readonly since: EpochMillis
}

/** Swaps without a channel: transactions to the network's vaults that say themselves what to swap (decision 13). */
export interface VaultSwaps {
  /** The chains whose transactions the provider encodes. */
  readonly chains: ReadonlyArray<Chain>
  /** Whether payloads need a known sender. */
  readonly needsSender?: boolean
  /** Whether the upstream finds a swap only by the mark of its payload, so that `status` needs marks. */
  readonly needsMarks?: boolean
  /** Encodes a payload; opens nothing. Made once; a failure after the call says `reached: true` (decision 16). */
  readonly encode: (request: VaultSwapRequest) => Effect.Effect<EncodedPayload, ProviderError>
  /** The vault swap of a transaction; nothing while unknown, or no vault swap of ours. `known`: its last record. */
  readonly status: (
    question: VaultSwapQuestion,
    known: Option.Option<SwapStatus>,
  ) => Effect.Effect<Option.Option<Observed>, ProviderError>
  /**
   * The transactions through the operator's account that the upstream has seen, written as their chains do, in a few
   * calls. Each that is not on record is then looked up, so that a swap is known without anybody's question: list none
   * that `status` does not find. A transaction of a chain that the upstream does not list is found when its hash is
   * asked for. Absent where the upstream lists none at all.
   */
  readonly list?: (sought: Sought) => Effect.Effect<ReadonlyArray<string>, ProviderError>
}

/** Withdrawals of what the operator or an affiliate has earned. */
export interface Withdrawals {
  /** Orders a withdrawal, in one call. A failure that may have ordered it says `reached: true`. */
  readonly withdraw: (order: WithdrawalOrder) => Effect.Effect<TakenWithdrawal, ProviderError>
  /** Finds an order by what was `earned` before. Absent: its outcome stays unknown, and it is never repeated. */
  readonly find?: (
    order: WithdrawalOrder,
    earned: Holding,
    requestedAt: EpochMillis,
  ) => Effect.Effect<WithdrawalTrace, ProviderError>
  /** Where the payment stands; nothing while the upstream does not know it (yet). */
  readonly standing: (taken: TakenWithdrawal) => Effect.Effect<Option.Option<PaymentStanding>, ProviderError>
}

/** Accounts that share in the operator's commission. */
export interface Affiliates {
  /** What shares are paid out in: a registered address is one of its chain. */
  readonly asset: AssetId
  /** Registers an account whose share is paid to this address only. A failure that may have done it says `reached`. */
  readonly register: (withdrawalAddress: Address) => Effect.Effect<AffiliateAccount, ProviderError>
}

/** The operator's own account at the upstream. */
export interface Treasury {
  /** The account now, never kept from before. */
  readonly account: Effect.Effect<OperatorAccount, ProviderError>
  readonly comparison: Comparison
  /** Absent where the operator withdraws by the upstream's own means only. */
  readonly withdrawals?: Withdrawals
  /** Absent where the upstream registers no affiliates. */
  readonly affiliates?: Affiliates
}

/**
 * The port of an upstream network. Every operation fails only with `ProviderError`; any other failure inside is a
 * defect. Implementations keep no state that a restart would miss. A provider with neither channels nor vault swaps
 * gives quotes only.
 */
export interface Provider {
  readonly name: ProviderName
  readonly capabilities: Capabilities
  /** Every asset that the provider knows, switched on or not. May be some seconds old. */
  readonly assets: Effect.Effect<ReadonlyArray<AssetSupport>, ProviderError>
  /** Offers for an amount, in any order. Opens and reserves nothing. */
  readonly quotes: (request: QuoteRequest) => Effect.Effect<ReadonlyArray<Quote>, ProviderError>
  /** Absent where the upstream opens no deposit channels. `/swap` then passes the provider over. */
  readonly channels?: Channels
  /** Absent where the upstream takes no vault swaps. `/tx-payload/*` then passes the provider over. */
  readonly vaultSwaps?: VaultSwaps
  /** Passes a JSON-RPC call to the upstream's node, letter by letter; the node's errors are replies, too. */
  readonly node?: (call: NodeCall) => Effect.Effect<NodeReply, ProviderError>
  /** Absent where nobody but the upstream can tell what the operator has there. */
  readonly treasury?: Treasury
}

/** Whether a provider with these assets takes one and pays out the other now. */
export const servesPair = (
  assets: ReadonlyArray<AssetSupport>,
  { destinationAsset, sourceAsset }: { readonly sourceAsset: AssetId; readonly destinationAsset: AssetId },
): boolean =>
  assets.some(({ asset, ingress }) => asset === sourceAsset && ingress) &&
  assets.some(({ asset, egress }) => asset === destinationAsset && egress)

/** The ways in which swaps from a chain begin at a provider; none where it gives quotes only. */
export const startsOf = ({ channels, vaultSwaps }: Provider, source: Chain): ReadonlyArray<Start> => [
  ...(channels === undefined ? [] : ["channel" as const]),
  ...(vaultSwaps?.chains.includes(source) === true ? ["transaction" as const] : []),
]
