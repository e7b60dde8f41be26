import { Effect, type Option } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import type { ProviderError, ProviderOperation } from "#domain/ProviderError.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
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

type Asking =
  | Effect.Effect<unknown, ProviderError>
  | ((...args: never) => Effect.Effect<unknown, ProviderError>)

type OperationsIn<Port, At extends string = ""> = {
  [Name in keyof Port & string]-?: NonNullable<Port[Name]> extends infer Member
    ? Member extends Asking ? `${At}${Name}`
    : Member extends string | ReadonlyArray<unknown> ? never
    : Member extends object ? OperationsIn<Member, `${At}${Name}.`>
    : never
    : never
}[keyof Port & string]

/** Every operation of the port by its place there; `mayOpen` is the service's own. */
export type PortOperation = Exclude<OperationsIn<Provider>, "channels.mayOpen">

/** Every operation of the port, a row each. Calls to the node have a group of their own, beside quotes. */
const operations = {
  assets: { operation: "assets", group: "quote", assets: noAssets },
  quotes: { operation: "quote", group: "quote", assets: pairOf },
  "channels.open": { operation: "open", group: "open", assets: pairOf },
  "channels.list": { operation: "status", group: "status", assets: noAssets },
  "channels.findOpening": { operation: "status", group: "status", assets: noAssets },
  "channels.status": { operation: "status", group: "status", assets: noAssets },
  "channels.findTransaction": { operation: "status", group: "status", assets: noAssets },
  "channels.reindex": { operation: "status", group: "status", assets: noAssets },
  "vaultSwaps.encode": { operation: "encode", group: "open", assets: pairOf },
  // Apart from look-ups: what lists transactions is another host, which can fail alone.
  "vaultSwaps.list": { operation: "treasury", group: "treasury", assets: noAssets },
  "vaultSwaps.status": { operation: "status", group: "status", assets: noAssets },
  node: { operation: "node", group: "node", assets: noAssets },
  "treasury.account": { operation: "treasury", group: "treasury", assets: noAssets },
  "treasury.withdrawals.withdraw": { operation: "withdraw", group: "treasury", assets: noAssets },
  "treasury.withdrawals.find": { operation: "treasury", group: "treasury", assets: noAssets },
  "treasury.withdrawals.standing": { operation: "treasury", group: "treasury", assets: noAssets },
  "treasury.affiliates.register": { operation: "withdraw", group: "treasury", assets: noAssets },
} as const satisfies Readonly<Record<PortOperation, Operation<never>>>

export interface Call {
  readonly operation: ProviderOperation
  readonly group: OperationGroup
  readonly assets: ReadonlyArray<AssetId>
}

/** A function around a call. It may change how the call ends, or leave the call out. */
export type Around = (
  call: Call,
) => <A>(answer: Effect.Effect<A, ProviderError>) => Effect.Effect<A, ProviderError>

/** Puts `around` around every call, which is suspended: `around` gets every failure of making it, defects included. */
export const intercept = (provider: Provider, around: Around): Provider => {
  const on = <Args extends ReadonlyArray<unknown>, A>(
    { assets, group, operation }: Operation<NoInfer<Args>>,
    ask: (...args: Args) => Effect.Effect<A, ProviderError>,
  ) =>
  (...args: Args): Effect.Effect<A, ProviderError> =>
    around({ operation, group, assets: assets(...args) })(Effect.suspend(() => ask(...args)))
  const { name, capabilities, channels, node, treasury, vaultSwaps } = provider
  // Required operations are called as methods of their object, which may be an instance of a class. Facts are read once,
  // here, so that a getter that throws keeps its provider from being registered, and hurts nobody else.
  return {
    name,
    capabilities: { ...capabilities },
    assets: on(operations.assets, () => provider.assets)(),
    quotes: on(operations.quotes, (request: QuoteRequest) => provider.quotes(request)),
    ...optionalMembers(channels, (channels) => ({
      channels: {
        open: on(operations["channels.open"], (request: SwapRequest) => channels.open(request)),
        status: on(
          operations["channels.status"],
          (channel: ChannelId, known: SwapStatus) => channels.status(channel, known),
        ),
        ...optionalMembers(
          channels.list,
          (list) => ({ list: on(operations["channels.list"], () => list)() }),
        ),
        ...optionalMembers(
          channels.findOpening,
          (ask) => ({ findOpening: on(operations["channels.findOpening"], ask) }),
        ),
        ...optionalMembers(channels.findTransaction, (ask) => ({
          findTransaction: on(operations["channels.findTransaction"], ask),
        })),
        ...optionalMembers(channels.reindex, (ask) => ({ reindex: on(operations["channels.reindex"], ask) })),
      },
    })),
    ...optionalMembers(vaultSwaps, (vaultSwaps) => ({
      vaultSwaps: {
        ...vaultSwaps,
        encode: on(
          operations["vaultSwaps.encode"],
          (request: VaultSwapRequest) => vaultSwaps.encode(request),
        ),
        status: on(
          operations["vaultSwaps.status"],
          (question: VaultSwapQuestion, known: Option.Option<SwapStatus>) =>
            vaultSwaps.status(question, known),
        ),
        ...optionalMembers(vaultSwaps.list, (list) => ({
          list: on(operations["vaultSwaps.list"], (sought: Sought) => list(sought)),
        })),
      },
    })),
    ...optionalMembers(node, (ask) => ({ node: on(operations.node, ask) })),
    ...optionalMembers(treasury, (treasury) => ({
      treasury: {
        account: on(operations["treasury.account"], () => treasury.account)(),
        comparison: treasury.comparison,
        ...optionalMembers(treasury.withdrawals, ({ find, standing, withdraw }) => ({
          withdrawals: {
            withdraw: on(operations["treasury.withdrawals.withdraw"], withdraw),
            ...optionalMembers(find, (ask) => ({ find: on(operations["treasury.withdrawals.find"], ask) })),
            standing: on(operations["treasury.withdrawals.standing"], standing),
          },
        })),
        ...optionalMembers(treasury.affiliates, ({ asset, register }) => ({
          affiliates: { asset, register: on(operations["treasury.affiliates.register"], register) },
        })),
      },
    })),
  }
}

/** The provider as a plain value, whose operations can be replaced one by one. */
export const plain = (provider: Provider): Provider => intercept(provider, () => (answer) => answer)
