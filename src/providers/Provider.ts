import { type BigDecimal, Data, Effect, type Option } from "effect"
import type { NativeAmount } from "../domain/Amount.ts"
import type { AssetId } from "../domain/Asset.ts"
import type { Chain } from "../domain/Chain.ts"
import type { ChannelId, DepositChannel, DepositLimits } from "../domain/Channel.ts"
import type { NodeCall, NodeReply } from "../domain/NodeCall.ts"
import type { ProviderError, ProviderOperation } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { Quote, QuoteRequest } from "../domain/Quote.ts"
import type { SwapStatus } from "../domain/Swap.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import type { Start } from "../domain/Start.ts"
import type { EpochMillis } from "../domain/Time.ts"
import type { EncodedPayload, PayloadMark, VaultSwapRequest } from "../domain/VaultSwap.ts"
import { spread } from "../platform/spread.ts"
import type { Capabilities } from "./Capabilities.ts"

/** What a provider says of one asset at present. */
export interface AssetSupport {
  readonly asset: AssetId
  /** It can be swapped from, in whichever of the provider's ways. */
  readonly ingress: boolean
  /** It can be paid out. */
  readonly egress: boolean
  /** Deposits below this are not credited; native units. Absent where the upstream states none. */
  readonly minimumDeposit?: NativeAmount
  /** US dollars for one whole unit by the provider's own account, some minutes old; absent where it states none. */
  readonly usdPrice?: BigDecimal.BigDecimal
}

/** What an upstream said of a swap. */
export interface Observed {
  readonly status: SwapStatus
  /** The body that says so, letter for letter as it came; no credential of ours is ever in it. */
  readonly body: string
  /** The mark of the payload that a vault swap was made of, where the upstream tells it. */
  readonly mark?: PayloadMark
}

/** A channel that was just opened, and the `waiting` record that it starts with. */
export interface OpenedChannel {
  readonly channel: DepositChannel
  readonly status: SwapStatus
  /** Whether the upstream gives each deposit address out once and for all, so that a second time must be false. */
  readonly isAddressUnique?: boolean
  /** Absent where the upstream states none. */
  readonly depositLimits?: DepositLimits
}

/** What an upstream can say of an opening whose answer was lost. */
export type OpeningTrace = Data.TaggedEnum<{
  Found: { readonly opened: OpenedChannel }
  /** Provably nothing was opened for it, nor can anything be any more. */
  NothingOpened: object
  /** It cannot tell, be it only from another opening that asked for the same. */
  NotKnown: object
}>
export const OpeningTrace = Data.taggedEnum<OpeningTrace>()

/** What an upstream knows of a transaction. */
export type TransactionTrace = Data.TaggedEnum<{
  /** It was a deposit to this channel, whosever that is: whoever asks has to compare it with the records. */
  Deposit: { readonly channel: ChannelId }
  /** It said itself what is to be swapped, through the operator's own broker. */
  VaultSwap: { readonly said: Observed }
}>
export const TransactionTrace = Data.taggedEnum<TransactionTrace>()

/** Deposit channels: addresses at which the upstream waits for the source asset. */
export interface Channels {
  /**
   * Opens a deposit channel. Never repeated by the provider itself: a failure that may have opened one says
   * `reached: true`.
   */
  readonly open: (request: SwapRequest) => Effect.Effect<OpenedChannel, ProviderError>
  /**
   * Looks up what came of an opening of ours by what it asked for and when; opens nothing. Absent where the
   * upstream cannot tell: an opening whose answer was lost then stays unknown and is never repeated.
   */
  readonly findOpening?: (
    request: SwapRequest,
    requestedAt: EpochMillis,
  ) => Effect.Effect<OpeningTrace, ProviderError>
  /**
   * The latest swap of a channel; nothing while the upstream does not know the channel (yet). `known` is the
   * last record of it, with the channel's `reference`: an upstream state that is not one of ours is reported as the
   * last known one and logged (decision 23).
   */
  readonly status: (
    channel: ChannelId,
    known: SwapStatus,
  ) => Effect.Effect<Option.Option<Observed>, ProviderError>
  /**
   * What a transaction came to, written as its chain does, in one call; nothing while the upstream does not know it
   * (yet), and where it is nothing of ours. Absent where the upstream finds no channel by a deposit to it: channels
   * that wait for one are then asked about themselves.
   */
  readonly findTransaction?: (
    transaction: string,
  ) => Effect.Effect<Option.Option<TransactionTrace>, ProviderError>
}

/** A transaction that is asked for, and what may lead to its swap. */
export interface VaultSwapQuestion {
  /** Written as its chain does. One hash may come in the spellings of several chains, each as a question of its own. */
  readonly transaction: string
  /** Marks of payloads that the asking account has had, the newest first; none where `needsMarks` is absent. */
  readonly marks: ReadonlyArray<PayloadMark>
}

/**
 * Swaps without a channel: transactions to the network's own vaults that say themselves what is to be swapped
 * (decision 13).
 */
export interface VaultSwaps {
  /** The chains whose transactions it encodes. */
  readonly chains: ReadonlyArray<Chain>
  /** Whether it makes payloads for a known sender only. */
  readonly needsSender?: boolean
  /** Whether the upstream finds a swap by the mark of its payload alone: `status` is then given marks. */
  readonly needsMarks?: boolean
  /**
   * What the sender's wallet makes a transaction of. Opens and reserves nothing; like an opening it is asked
   * for once, and a failure that may have come after that says `reached: true` (decision 16).
   */
  readonly encode: (request: VaultSwapRequest) => Effect.Effect<EncodedPayload, ProviderError>
  /**
   * The vault swap of a transaction; nothing while the upstream does not know it (yet), and where it is none, not
   * one of ours, or the swap of another transaction. `known` is its last record, if there is one already.
   */
  readonly status: (
    question: VaultSwapQuestion,
    known: Option.Option<SwapStatus>,
  ) => Effect.Effect<Option.Option<Observed>, ProviderError>
}

/**
 * The port of an upstream network. Every operation fails only with `ProviderError`; whatever else goes
 * wrong inside is a defect. Implementations keep no state that a restart would miss. A provider with neither channels
 * nor vault swaps gives quotes only.
 */
export interface Provider {
  readonly name: ProviderName
  readonly capabilities: Capabilities
  /** Every asset that the provider knows, switched on or not; may be some seconds old. */
  readonly assets: Effect.Effect<ReadonlyArray<AssetSupport>, ProviderError>
  /** Offers for an amount, in any order. Opens and reserves nothing. */
  readonly quotes: (request: QuoteRequest) => Effect.Effect<ReadonlyArray<Quote>, ProviderError>
  /** Absent where the upstream opens no deposit channels: `/swap` is then for others. */
  readonly channels?: Channels
  /** Absent where the upstream takes no transactions that say themselves what to swap: payloads are then for others. */
  readonly vaultSwaps?: VaultSwaps
  /**
   * Passes a call on to the upstream's own node and gives its reply letter for letter, for clients that speak
   * the upstream's JSON-RPC. An error of the node is a reply like any other. Absent where the upstream speaks
   * no JSON-RPC.
   */
  readonly node?: (call: NodeCall) => Effect.Effect<NodeReply, ProviderError>
}

/** Operations that share one circuit, one bulkhead and one set of figures; the key is never the pair. */
export const OperationGroup = ["quote", "open", "status", "node"] as const
export type OperationGroup = typeof OperationGroup[number]

/** One operation of the port, for whatever is put around every call of it. */
interface Operation<Args extends ReadonlyArray<unknown>> {
  /** What the call is named to the operator: in errors, figures and switches. */
  readonly operation: ProviderOperation
  readonly group: OperationGroup
  /** The assets that the call is about, so that one of them can be switched off; none concerns any. */
  readonly assets: (...args: Args) => ReadonlyArray<AssetId>
}

const pairOf = ({ sourceAsset, destinationAsset }: QuoteRequest | SwapRequest): ReadonlyArray<AssetId> => [
  sourceAsset,
  destinationAsset,
]
const noAssets = (): ReadonlyArray<AssetId> => []

/** Every operation of the port, one row each. Calls to the node take no place and no circuit from quotes. */
const operations = {
  assets: { operation: "assets", group: "quote", assets: noAssets },
  quotes: { operation: "quote", group: "quote", assets: pairOf },
  open: { operation: "open", group: "open", assets: pairOf },
  findOpening: { operation: "status", group: "status", assets: noAssets },
  status: { operation: "status", group: "status", assets: noAssets },
  findTransaction: { operation: "status", group: "status", assets: noAssets },
  encode: { operation: "encode", group: "open", assets: pairOf },
  vaultSwapStatus: { operation: "status", group: "status", assets: noAssets },
  node: { operation: "node", group: "node", assets: noAssets },
} as const satisfies Readonly<Record<string, Operation<never>>>

/** One call that a provider is asked for. */
export interface Call {
  readonly operation: ProviderOperation
  readonly group: OperationGroup
  readonly assets: ReadonlyArray<AssetId>
}

/** What is put around one call; it may change how the call ends, and leave it out. */
export type Around = (
  call: Call,
) => <A>(answer: Effect.Effect<A, ProviderError>) => Effect.Effect<A, ProviderError>

/**
 * The provider with `around` put around every call of every operation that it has. The call itself is suspended, so
 * that whatever goes wrong in asking for it comes out of the effect that `around` gets.
 */
export const intercept = (provider: Provider, around: Around): Provider => {
  const on = <Args extends ReadonlyArray<unknown>, A>(
    { assets, group, operation }: Operation<NoInfer<Args>>,
    ask: (...args: Args) => Effect.Effect<A, ProviderError>,
  ) =>
  (...args: Args): Effect.Effect<A, ProviderError> =>
    around({ operation, group, assets: assets(...args) })(Effect.suspend(() => ask(...args)))
  const { name, capabilities, channels, node, vaultSwaps } = provider
  // Called as methods of what has them where they can be, which may be an instance of a class.
  return {
    name,
    capabilities,
    assets: on(operations.assets, () => provider.assets)(),
    quotes: on(operations.quotes, (request: QuoteRequest) => provider.quotes(request)),
    ...spread(channels, (channels) => ({
      channels: {
        open: on(operations.open, (request: SwapRequest) => channels.open(request)),
        status: on(
          operations.status,
          (channel: ChannelId, known: SwapStatus) => channels.status(channel, known),
        ),
        ...spread(channels.findOpening, (ask) => ({ findOpening: on(operations.findOpening, ask) })),
        ...spread(channels.findTransaction, (ask) => ({
          findTransaction: on(operations.findTransaction, ask),
        })),
      },
    })),
    ...spread(vaultSwaps, (vaultSwaps) => ({
      vaultSwaps: {
        ...vaultSwaps,
        encode: on(operations.encode, (request: VaultSwapRequest) => vaultSwaps.encode(request)),
        status: on(
          operations.vaultSwapStatus,
          (question: VaultSwapQuestion, known: Option.Option<SwapStatus>) =>
            vaultSwaps.status(question, known),
        ),
      },
    })),
    ...spread(node, (ask) => ({ node: on(operations.node, ask) })),
  }
}

/** The provider with no more than its operations: a value whose operations can be replaced one by one. */
export const plain = (provider: Provider): Provider => intercept(provider, () => (answer) => answer)

/** The ways in which swaps from a chain begin at a provider; none where it gives quotes only. */
export const startsOf = ({ channels, vaultSwaps }: Provider, source: Chain): ReadonlyArray<Start> => [
  ...(channels === undefined ? [] : ["channel" as const]),
  ...(vaultSwaps?.chains.includes(source) === true ? ["transaction" as const] : []),
]
