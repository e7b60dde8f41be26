import { type Duration, Effect, Exit } from "effect"
import { type NativeAmount, noAmount } from "../../domain/Amount.ts"
import { type AssetId, factsOf, findAssetByInternalId } from "../../domain/Asset.ts"
import type { Chain } from "../../domain/Chain.ts"
import type { DepositLimits } from "../../domain/Channel.ts"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import type { AssetSupport } from "../Provider.ts"
import type { Backend } from "./client/Backend.ts"
import type { JsonRpc, RpcError } from "./client/JsonRpc.ts"
import type { Asked } from "./errors/httpAnswer.ts"
import { unclassified } from "./errors/unclassified.ts"
import { decode } from "../upstream/decode.ts"
import { withLookupTimeout } from "../upstream/lookupTimeout.ts"
import { type AmountMap, WireEnvironment, WireSafeMode } from "./wire/environment.ts"
import { WireNetworkInfo, type WireSwitches } from "./wire/networkInfo.ts"

/** What the network allows at present: its limits, its figures for estimates, and what is switched on. */
export interface Conditions {
  readonly environment: WireEnvironment
  /** Every known asset that the upstream names. */
  readonly switches: ReadonlyMap<AssetId, WireSwitches>
  readonly swapsEnabled: boolean
}

/** Limits in state-chain blocks; absent where the upstream states none. */
export interface Limits {
  readonly retryDurationBlocks?: number
  /** Of (chunks − 1) × interval. */
  readonly requestDurationBlocks?: number
}

const asked: Asked = { endpoint: "node", opening: false, pair: {} }

/** How JSON-RPC says that a node has no such method. */
const methodNotFound = -32601

/** A node of an older network, or one whose operator offers few methods, has no say in what is switched off. */
const orNotOffered = (error: RpcError) =>
  error.code === methodNotFound || /\bmethod\b.*\bnot\b/i.test(error.message)
    ? Effect.as(Effect.logDebug("The node does not tell what is in safe mode: it counts as on"), true)
    : Effect.fail(error)

/** Every switch that is left out is on: an older network does not know it. */
const readSafeMode = ({ swapping }: WireSafeMode): boolean =>
  swapping?.swaps_enabled !== false && swapping?.deposit_enabled !== false

/** Asks all three sources at once. */
const load = (backend: Backend, node: JsonRpc): Effect.Effect<Conditions, ProviderErrorReason> => {
  const environment = node.call("cf_environment", [], asked).pipe(
    Effect.flatMap((result) => Effect.fromResult(decode(WireEnvironment, result, ["result"]))),
  )
  const swapsEnabled = node.call("cf_safe_mode_statuses", [], asked).pipe(
    Effect.flatMap((result) => Effect.fromResult(decode(WireSafeMode, result, ["result"]))),
    Effect.map(readSafeMode),
    Effect.catchTag("RpcError", orNotOffered),
  )
  const switches = backend.networkInfo.pipe(
    Effect.flatMap((body) => Effect.fromResult(decode(WireNetworkInfo, body))),
    Effect.map(({ assets }) =>
      new Map(assets.flatMap((switches) => {
        const asset = findAssetByInternalId(switches.asset)
        return asset === undefined ? [] : [[asset, switches] as const]
      }))
    ),
  )
  return Effect.all({ environment, swapsEnabled, switches }, { concurrency: "unbounded" }).pipe(
    Effect.catchTag("RpcError", (error) => Effect.fail(unclassified("node", error))),
  )
}

/**
 * The conditions, asked for when they are first needed and kept for `maxAge`. Concurrent callers share one
 * look-up, and a failure is not kept.
 */
export const make = (
  backend: Backend,
  node: JsonRpc,
  maxAge: Duration.Input,
  lookupTimeout?: Duration.Input,
): Effect.Effect<Effect.Effect<Conditions, ProviderErrorReason>> =>
  Effect.cachedWithTTL(
    withLookupTimeout("node and swap backend", lookupTimeout)(load(backend, node)),
    (exit: Exit.Exit<Conditions, ProviderErrorReason>) => Exit.isSuccess(exit) ? maxAge : 0,
  )

const amountOf = (amounts: AmountMap | undefined, asset: AssetId): NativeAmount | undefined => {
  const { chain, ticker } = factsOf(asset)
  return amounts?.[chain]?.[ticker]
}

/** Deposits below this are lost; nothing where the upstream states no minimum. */
export const minimumDeposit = ({ environment }: Conditions, asset: AssetId): NativeAmount =>
  amountOf(environment.ingress_egress.minimum_deposit_amounts, asset) ?? noAmount

/** The most that is swapped at once, if there is a limit. */
export const maximumSwap = ({ environment }: Conditions, asset: AssetId): NativeAmount | undefined =>
  amountOf(environment.swapping.maximum_swap_amounts, asset)

/** What deposits of the asset have to come to at present. */
export const depositLimits = (conditions: Conditions, asset: AssetId): DepositLimits => {
  const minimum = minimumDeposit(conditions, asset)
  const maximum = maximumSwap(conditions, asset)
  return { ...(minimum > 0n ? { minimum } : {}), ...(maximum === undefined ? {} : { maximum }) }
}

/** The limits on time at present. */
export const limitsOf = ({ environment: { swapping } }: Conditions): Limits => ({
  ...(swapping.max_swap_retry_duration_blocks === undefined
    ? {}
    : { retryDurationBlocks: swapping.max_swap_retry_duration_blocks }),
  ...(swapping.max_swap_request_duration_blocks === undefined
    ? {}
    : { requestDurationBlocks: swapping.max_swap_request_duration_blocks }),
})

/** Blocks on top of the first before a deposit is credited; absent where the upstream states none. */
export const safetyMargin = ({ environment }: Conditions, chain: Chain): number | undefined =>
  environment.ingress_egress.witness_safety_margins[chain]

/** The network has the asset, switched on or not. */
export const isListed = ({ switches }: Conditions, asset: AssetId): boolean => switches.has(asset)

/** Channels can be opened for the asset, and deposits to them are credited. */
export const canDeposit = ({ switches }: Conditions, asset: AssetId): boolean => {
  const switched = switches.get(asset)
  return switched !== undefined && switched.depositChannelCreationEnabled &&
    switched.depositChannelDepositsEnabled
}

/** Transactions of the asset to its chain's vault are credited; an older network does not tell them apart. */
export const canSendToVault = ({ switches }: Conditions, asset: AssetId): boolean => {
  const switched = switches.get(asset)
  return switched !== undefined &&
    (switched.vaultSwapDepositsEnabled ?? switched.depositChannelDepositsEnabled)
}

/** The asset can be paid out. */
export const canPayOut = ({ switches }: Conditions, asset: AssetId): boolean =>
  switches.get(asset)?.egressEnabled === true

/** What is said of every asset that the upstream names. */
export const assetSupport = (conditions: Conditions): ReadonlyArray<AssetSupport> =>
  [...conditions.switches.keys()].map((asset) => ({
    asset,
    ingress: canDeposit(conditions, asset),
    egress: canPayOut(conditions, asset),
    minimumDeposit: minimumDeposit(conditions, asset),
  }))
