import { type Duration, Effect, Exit, Option, Result, Schema } from "effect"
import { type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import {
  findAssetByInternalId,
  networkAssets,
  networkChains,
} from "#domain/chains/payload/contractNumbers.ts"
import type { DepositLimits } from "#domain/swaps/Channel.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { AssetSupport } from "../Provider.ts"
import { Amount, Count, decode, logged, maybe } from "../upstream/values.ts"
import { type Backend, type JsonRpc, ofNode, type RpcError } from "./client.ts"
import { withLookupTimeout } from "../upstream/failures.ts"
import { reportedByCaller } from "../upstream/transport.ts"
import { unlessAnew } from "../upstream/witness.ts"

/** The schema of chain → value. Chains that we do not know are ignored. */
const chainMap = <S extends Schema.Constraint>(value: S) =>
  Schema.Struct(Object.fromEntries(networkChains.map((chain) => [chain, maybe(value)])))

/** The schema of chain → ticker → value (chainflip/wire.md 1.5 AssetMap). Assets that we do not know are ignored. */
const assetMap = <S extends Schema.Constraint>(value: S) =>
  Schema.Struct(Object.fromEntries(networkChains.map((chain) => {
    const tickers = networkAssets.filter((asset) => chainOf(asset) === chain).map((asset) =>
      factsOf(asset).ticker
    )
    return [chain, maybe(Schema.Struct(Object.fromEntries(tickers.map((ticker) => [ticker, maybe(value)]))))]
  })))

export const AmountMap = assetMap(Amount)

export type AmountMap = typeof AmountMap.Type

export const ChainAmounts = chainMap(Amount)

const CountMap = chainMap(Count)

/** The parts of `cf_environment` that limits and estimates are made of (chainflip/wire.md 1.5). */
export const WireEnvironment = Schema.Struct({
  ingress_egress: Schema.Struct({
    minimum_deposit_amounts: AmountMap,
    witness_safety_margins: maybe(CountMap),
    ingress_delays: maybe(CountMap),
    channel_opening_fees: maybe(ChainAmounts),
  }),
  swapping: Schema.Struct({
    maximum_swap_amounts: maybe(AmountMap),
    max_swap_retry_duration_blocks: maybe(Count),
    max_swap_request_duration_blocks: maybe(Count),
  }),
})
export type WireEnvironment = typeof WireEnvironment.Type

/** The part of `cf_safe_mode_statuses` that stops every swap, or withdrawals (chainflip/wire.md 1.6, 2.6). */
export const WireSafeMode = Schema.Struct({
  swapping: maybe(Schema.Struct({
    swaps_enabled: maybe(Schema.Boolean),
    deposit_enabled: maybe(Schema.Boolean),
    withdrawals_enabled: maybe(Schema.Boolean),
  })),
})
export type WireSafeMode = typeof WireSafeMode.Type

/** The switches of one asset; `asset` is its internal id, such as `ArbUsdc` (chainflip/wire.md 3.8). */
const WireSwitches = Schema.Struct({
  asset: Schema.String,
  vaultSwapDepositsEnabled: maybe(Schema.Boolean),
  depositChannelDepositsEnabled: Schema.Boolean,
  depositChannelCreationEnabled: Schema.Boolean,
  egressEnabled: Schema.Boolean,
  boostDepositsEnabled: maybe(Schema.Boolean),
})
type WireSwitches = typeof WireSwitches.Type

/** The answer of `GET /api/networkInfo`; its rows are read one by one, so that none takes the others with it. */
export const WireNetworkInfo = Schema.Struct({ assets: Schema.Array(Schema.Unknown) })

const WireName = Schema.Struct({ asset: Schema.String })

/** The switches of the assets that we know. One whose switches cannot be read is left out, and so is off. */
const readSwitches = (body: unknown) =>
  Result.map(decode(WireNetworkInfo, body), ({ assets }) => {
    const switches = new Map<AssetId, WireSwitches>()
    const notices: Array<string> = []
    for (const [index, row] of assets.entries()) {
      const named = Option.getOrUndefined(Result.getSuccess(decode(WireName, row, ["assets", index])))
      const asset = named === undefined ? undefined : findAssetByInternalId(named.asset)
      if (asset === undefined) continue
      Result.match(decode(WireSwitches, row, ["assets", index]), {
        onFailure: ({ detail }) => notices.push(`Left out ${asset}: ${detail}`),
        onSuccess: (read) => switches.set(asset, read),
      })
    }
    return { switches, notices }
  })

/** The network's present conditions: its limits, its figures for estimates, and its switches. */
export interface Conditions {
  readonly environment: WireEnvironment
  readonly switches: ReadonlyMap<AssetId, WireSwitches>
  readonly swapsEnabled: boolean
}

/** Limits in state-chain blocks; absent where the upstream states none. */
export interface Limits {
  readonly retryDurationBlocks?: number
  /** The limit of (chunks − 1) × interval. */
  readonly requestDurationBlocks?: number
}

const methodNotFound = -32601

export const isNotOffered = (error: RpcError): boolean =>
  error.code === methodNotFound || /\bmethod\b.*\bnot\b/i.test(error.message)

/** Swaps count as enabled where the node does not offer the method: it is older, or its operator offers few. */
const orNotOffered = (error: RpcError) =>
  isNotOffered(error)
    ? Effect.as(Effect.logDebug("The node does not report its safe mode. It counts as on"), true)
    : Effect.fail(error)

/** Whether swaps are enabled. A switch that is left out is on, as older networks do not have it. */
const readSafeMode = ({ swapping }: WireSafeMode): boolean =>
  swapping?.swaps_enabled !== false && swapping?.deposit_enabled !== false

const load = (backend: Backend, node: JsonRpc): Effect.Effect<Conditions, ProviderErrorReason> => {
  const environment = node.read(WireEnvironment, "cf_environment")
  const swapsEnabled = node.read(WireSafeMode, "cf_safe_mode_statuses").pipe(
    Effect.map(readSafeMode),
    Effect.catchTag("RpcError", orNotOffered),
  )
  const switches = backend.networkInfo.pipe(
    Effect.flatMap((body) => logged(readSwitches(body))),
    Effect.map(({ switches }) => switches),
  )
  return ofNode(Effect.all({ environment, swapsEnabled, switches }, { concurrency: "unbounded" }))
}

/** Loads the conditions when first needed, once for all who wait, and keeps them for `maxAge`; no failure is kept. */
export const makeConditions = (
  backend: Backend,
  node: JsonRpc,
  maxAge: Duration.Input,
  lookupTimeout?: Duration.Input,
): Effect.Effect<Effect.Effect<Conditions, ProviderErrorReason>> => {
  const anew = reportedByCaller(
    withLookupTimeout("node and swap backend", lookupTimeout)(load(backend, node)),
  )
  const kept = Effect.cachedWithTTL(
    anew,
    (exit: Exit.Exit<Conditions, ProviderErrorReason>) => Exit.isSuccess(exit) ? maxAge : 0,
  )
  return Effect.map(kept, (kept) => unlessAnew(kept, anew))
}

export const amountOf = (amounts: AmountMap | undefined, asset: AssetId): NativeAmount | undefined => {
  const { chain, ticker } = factsOf(asset)
  return amounts?.[chain]?.[ticker]
}

/** The minimum deposit, below which deposits are lost; 0 where the upstream states none. */
export const minimumDeposit = ({ environment }: Conditions, asset: AssetId): NativeAmount =>
  amountOf(environment.ingress_egress.minimum_deposit_amounts, asset) ?? noAmount

export const maximumSwap = ({ environment }: Conditions, asset: AssetId): NativeAmount | undefined =>
  amountOf(environment.swapping.maximum_swap_amounts, asset)

export const depositLimits = (conditions: Conditions, asset: AssetId): DepositLimits => {
  const minimum = minimumDeposit(conditions, asset)
  const maximum = maximumSwap(conditions, asset)
  return { ...(minimum > 0n ? { minimum } : {}), ...(maximum === undefined ? {} : { maximum }) }
}

export const limitsOf = ({ environment: { swapping } }: Conditions): Limits => ({
  ...optionalMembers(
    swapping.max_swap_retry_duration_blocks,
    (retryDurationBlocks) => ({ retryDurationBlocks }),
  ),
  ...optionalMembers(
    swapping.max_swap_request_duration_blocks,
    (requestDurationBlocks) => ({ requestDurationBlocks }),
  ),
})

/** Blocks on top of the first before a deposit is credited; absent where the upstream states none. */
export const safetyMargin = ({ environment }: Conditions, chain: Chain): number | undefined =>
  environment.ingress_egress.witness_safety_margins?.[chain]

/** The price of a channel from the chain, in smallest units of FLIP; 0 where the upstream states none. */
export const channelOpeningFee = ({ environment }: Conditions, chain: Chain): NativeAmount =>
  environment.ingress_egress.channel_opening_fees?.[chain] ?? noAmount

export const isListed = ({ switches }: Conditions, asset: AssetId): boolean => switches.has(asset)

/** Whether channels can be opened for the asset, and deposits to them are credited. */
export const canDeposit = ({ switches }: Conditions, asset: AssetId): boolean => {
  const switched = switches.get(asset)
  return switched !== undefined && switched.depositChannelCreationEnabled &&
    switched.depositChannelDepositsEnabled
}

/** Whether the vault credits transactions of the asset. Older networks have one switch for these and for channels. */
export const canSendToVault = ({ switches }: Conditions, asset: AssetId): boolean => {
  const switched = switches.get(asset)
  return switched !== undefined &&
    (switched.vaultSwapDepositsEnabled ?? switched.depositChannelDepositsEnabled)
}

/** Whether deposits of the asset are boosted now, where someone lends them. */
export const canBoost = ({ switches }: Conditions, asset: AssetId): boolean =>
  switches.get(asset)?.boostDepositsEnabled !== false

export const canPayOut = ({ switches }: Conditions, asset: AssetId): boolean =>
  switches.get(asset)?.egressEnabled === true

export const assetSupport = (conditions: Conditions): ReadonlyArray<AssetSupport> =>
  [...conditions.switches.keys()].map((asset) => ({
    asset,
    ingress: canDeposit(conditions, asset),
    egress: canPayOut(conditions, asset),
    minimumDeposit: minimumDeposit(conditions, asset),
    ...optionalMembers(maximumSwap(conditions, asset), (maximumDeposit) => ({ maximumDeposit })),
  }))

/** The time of the swap itself: two blocks of the state chain. */
const swapMillis = 12_000
const egressMillis = 90_000

const halfBlock = (chain: Chain): number => chainFacts(chain).blockMillis / 2

const depositMillis = (conditions: Conditions, chain: Chain): number => {
  const ingressDelay = conditions.environment.ingress_egress.ingress_delays?.[chain] ?? 0
  return halfBlock(chain) + chainFacts(chain).blockMillis * (safetyMargin(conditions, chain) ?? 1) +
    (ingressDelay + 1) * stateChainBlockMillis
}

/** Milliseconds from the deposit's transaction to the payout (chainflip/wire.md 3.3), without a boost. */
export const estimateDuration = (
  conditions: Conditions,
  { sourceAsset, destinationAsset, dca }: Pick<SwapRequest, "sourceAsset" | "destinationAsset" | "dca">,
): number => {
  const chunksMillis = dca === undefined
    ? 0
    : dca.chunkIntervalBlocks * stateChainBlockMillis * (dca.numberOfChunks - 1)
  return depositMillis(conditions, chainOf(sourceAsset)) + swapMillis +
    chunksMillis + egressMillis + halfBlock(chainOf(destinationAsset))
}
