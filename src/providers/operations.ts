import { Effect, type Option } from "effect"
import type { AssetId } from "../domain/Asset.ts"
import type { ChannelId } from "../domain/Channel.ts"
import type { ProviderError, ProviderOperation } from "../domain/ProviderError.ts"
import type { QuoteRequest } from "../domain/Quote.ts"
import type { SwapStatus } from "../domain/Swap.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import type { VaultSwapRequest } from "../domain/VaultSwap.ts"
import { spread } from "../platform/spread.ts"
import type { Provider, Sought, VaultSwapQuestion } from "./Provider.ts"

/** Operations that share one circuit, one bulkhead and one set of figures; the key is never the pair. */
export const OperationGroup = ["quote", "open", "status", "node", "treasury"] as const
export type OperationGroup = typeof OperationGroup[number]

/** An operation of the port, as functions around its calls see it. */
interface Operation<Args extends ReadonlyArray<unknown>> {
  /** The operator's name of the operation: in errors, figures and switches. */
  readonly operation: ProviderOperation
  readonly group: OperationGroup
  /** The assets of a call, each of which can be switched off; none where a call is about no asset. */
  readonly assets: (...args: Args) => ReadonlyArray<AssetId>
}

const pairOf = ({ sourceAsset, destinationAsset }: QuoteRequest | SwapRequest): ReadonlyArray<AssetId> => [
  sourceAsset,
  destinationAsset,
]
const noAssets = (): ReadonlyArray<AssetId> => []

/** Every operation of the port, a row each. Calls to the node have a group of their own, beside quotes. */
const operations = {
  assets: { operation: "assets", group: "quote", assets: noAssets },
  quotes: { operation: "quote", group: "quote", assets: pairOf },
  open: { operation: "open", group: "open", assets: pairOf },
  list: { operation: "status", group: "status", assets: noAssets },
  findOpening: { operation: "status", group: "status", assets: noAssets },
  status: { operation: "status", group: "status", assets: noAssets },
  findTransaction: { operation: "status", group: "status", assets: noAssets },
  reindex: { operation: "status", group: "status", assets: noAssets },
  encode: { operation: "encode", group: "open", assets: pairOf },
  // Apart from look-ups: what lists transactions is another host, which can fail alone.
  listTransactions: { operation: "treasury", group: "treasury", assets: noAssets },
  vaultSwapStatus: { operation: "status", group: "status", assets: noAssets },
  node: { operation: "node", group: "node", assets: noAssets },
  account: { operation: "treasury", group: "treasury", assets: noAssets },
  withdraw: { operation: "withdraw", group: "treasury", assets: noAssets },
  findWithdrawal: { operation: "treasury", group: "treasury", assets: noAssets },
  standing: { operation: "treasury", group: "treasury", assets: noAssets },
  registerAffiliate: { operation: "withdraw", group: "treasury", assets: noAssets },
} as const satisfies Readonly<Record<string, Operation<never>>>

/** A call of a provider's operation. */
export interface Call {
  readonly operation: ProviderOperation
  readonly group: OperationGroup
  readonly assets: ReadonlyArray<AssetId>
}

/** A function around a call. It may change how the call ends, or leave the call out. */
export type Around = (
  call: Call,
) => <A>(answer: Effect.Effect<A, ProviderError>) => Effect.Effect<A, ProviderError>

/**
 * The provider with `around` around every call of all its operations. The call is suspended, so that every failure of
 * making it, a defect included, comes out of the effect that `around` gets.
 */
export const intercept = (provider: Provider, around: Around): Provider => {
  const on = <Args extends ReadonlyArray<unknown>, A>(
    { assets, group, operation }: Operation<NoInfer<Args>>,
    ask: (...args: Args) => Effect.Effect<A, ProviderError>,
  ) =>
  (...args: Args): Effect.Effect<A, ProviderError> =>
    around({ operation, group, assets: assets(...args) })(Effect.suspend(() => ask(...args)))
  const { name, capabilities, channels, node, treasury, vaultSwaps } = provider
  // Required operations are called as methods of their object, which may be an instance of a class.
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
        ...spread(channels.list, (list) => ({ list: on(operations.list, () => list)() })),
        ...spread(channels.findOpening, (ask) => ({ findOpening: on(operations.findOpening, ask) })),
        ...spread(channels.findTransaction, (ask) => ({
          findTransaction: on(operations.findTransaction, ask),
        })),
        ...spread(channels.reindex, (ask) => ({ reindex: on(operations.reindex, ask) })),
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
        ...spread(vaultSwaps.list, (list) => ({
          list: on(operations.listTransactions, (sought: Sought) => list(sought)),
        })),
      },
    })),
    ...spread(node, (ask) => ({ node: on(operations.node, ask) })),
    ...spread(treasury, (treasury) => ({
      treasury: {
        account: on(operations.account, () => treasury.account)(),
        comparison: treasury.comparison,
        ...spread(treasury.withdrawals, ({ find, standing, withdraw }) => ({
          withdrawals: {
            withdraw: on(operations.withdraw, withdraw),
            ...spread(find, (ask) => ({ find: on(operations.findWithdrawal, ask) })),
            standing: on(operations.standing, standing),
          },
        })),
        ...spread(treasury.affiliates, ({ asset, register }) => ({
          affiliates: { asset, register: on(operations.registerAffiliate, register) },
        })),
      },
    })),
  }
}

/** The provider as a plain value, whose operations can be replaced one by one. */
export const plain = (provider: Provider): Provider => intercept(provider, () => (answer) => answer)
