import { Effect, Option, Result, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { intermediateAsset } from "../engine/figures.ts"
import * as Network from "../engine/Network.ts"
import { rateOf } from "../engine/pools.ts"
import { moduleErrors } from "../engine/Refusal.ts"
import type { AssetView, RateQuery, SwapRate } from "../engine/State.ts"
import { World } from "../World.ts"
import { accountInfo, AccountInput, affiliatesOf, chainMethods, freeBalances, health } from "./chain.ts"
import {
  discardedBlock,
  dispatchError,
  invalidParams,
  otherError,
  rateRefusal,
  type RpcError,
} from "./refusals.ts"
import { method, type Methods } from "./rpc.ts"
import * as Values from "./values.ts"
import { internalIdOf, networkAssets, networkChains } from "#domain/chains/payload/contractNumbers.ts"
import type { Chain } from "#domain/chains/Chain.ts"

/**
 * The node's JSON-RPC methods (chainflip/wire.md 1): `cf_swap_rate_v3` with its older forms (chainflip/wire.md 1.3,
 * 1.4), then all methods that read the network.
 */

const base = { from_asset: Values.AssetInput, to_asset: Values.AssetInput, amount: Values.HexInput }

const extra = {
  /** Liquidity that a quoter adds; only an empty list can be simulated. */
  additional_orders: Schema.optionalKey(Schema.Array(Schema.Unknown)),
}

/** The parameter that names a past block, whose state the sandbox does not keep. */
const at = { at: Schema.optionalKey(Schema.String) }

const V3 = Schema.Struct({
  ...base,
  broker_commission: Schema.optionalKey(Values.U16),
  dca_parameters: Schema.optionalKey(
    Schema.Struct({ number_of_chunks: Values.U32, chunk_interval: Values.U32 }),
  ),
  ccm_data: Schema.optionalKey(Schema.Struct({ gas_budget: Values.U32, message_length: Values.U32 })),
  exclude_fees: Schema.optionalKey(
    Schema.Array(Schema.Literals(["IngressDepositChannel", "IngressVaultSwap", "Network", "Egress"])),
  ),
  ...extra,
  is_internal: Schema.optionalKey(Schema.Boolean),
  ...at,
})
type V3 = typeof V3.Type

const V2 = Schema.Struct({ ...base, ...extra, ...at })
const V1 = Schema.Struct({ ...base, ...at })

const maximumMessageBytes = 15_000

/** The refusal of parameters that the sandbox's node does not simulate, or that no node accepts. */
const notSimulated = (params: V3): RpcError | undefined => {
  if (params.at !== undefined) return discardedBlock(params.at)
  if ((params.ccm_data?.message_length ?? 0) > maximumMessageBytes) {
    return invalidParams("CCM message size too large.")
  }
  if ((params.additional_orders ?? []).length > 0) {
    return otherError("The sandbox does not simulate additional orders")
  }
  return params.is_internal === true ? otherError("The sandbox does not simulate internal swaps") : undefined
}

const toQuery = (params: V3): Result.Result<RateQuery, RpcError> => {
  const refused = notSimulated(params)
  const amount = NativeAmount.makeOption(params.amount)
  const commissionBps = Bps.makeOption(params.broker_commission ?? 0)
  const { ccm_data: ccm, dca_parameters: dca } = params
  if (refused !== undefined) return Result.fail(refused)
  if (Option.isNone(amount)) return Result.fail(invalidParams("Swap input amount too large."))
  if (Option.isNone(commissionBps)) {
    return Result.fail(invalidParams("Invalid params: commission above 100 %"))
  }
  return Result.succeed({
    sourceAsset: params.from_asset,
    destinationAsset: params.to_asset,
    amount: amount.value,
    commissionBps: commissionBps.value,
    excludedFees: params.exclude_fees ?? [],
    ...(dca === undefined ? {} : { numberOfChunks: dca.number_of_chunks }),
    ...(ccm === undefined ? {} : { ccmGasBudget: NativeAmount.make(BigInt(ccm.gas_budget)) }),
  })
}

const simulate = Effect.fn("sandbox.node.swapRate")(function* (params: V3) {
  const query = yield* Effect.fromResult(toQuery(params))
  const rate = yield* World.read(({ network }) => rateOf(network, query))
  return yield* Effect.fromResult(Result.mapError(rate, rateRefusal))
})

const writeRate = (source: AssetId, destination: AssetId, rate: SwapRate) => ({
  intermediary: rate.intermediary === undefined ? null : Values.hex(rate.intermediary),
  output: Values.hex(rate.output),
  network_fee: Values.hexAmount(intermediateAsset, rate.networkFee),
  ingress_fee: Values.hexAmount(source, rate.ingressFee),
  egress_fee: Values.hexAmount(destination, rate.egressFee),
  broker_commission: Values.hexAmount(intermediateAsset, rate.brokerCommission),
})

const wholeRate = (params: V3) =>
  Effect.map(simulate(params), (rate) => writeRate(params.from_asset, params.to_asset, rate))

const bareRate = (params: V3) =>
  Effect.map(simulate(params), ({ intermediary, output }) => ({
    intermediary: intermediary === undefined ? null : Values.numberOrHex(intermediary),
    output: Values.numberOrHex(output),
  }))

/** The three forms by their names; all count as quotes. */
const swapRateMethods = [
  ["cf_swap_rate_v3", method(V3, wholeRate, "quote")],
  ["cf_swap_rate_v2", method(V2, wholeRate, "quote")],
  ["cf_swap_rate", method(V1, bareRate, "quote")],
] as const

/** The runtime's version that has every asset of chainflip/wire.md 1.2: 2.3. */
const runtimeVersion = {
  specName: "chainflip-node",
  implName: "chainflip-node",
  authoringVersion: 1,
  specVersion: 20_300,
  implVersion: 1,
  apis: [],
  transactionVersion: 13,
  stateVersion: 1,
}

/** Reads the present network; the state at a past block is not kept. */
const look = <Seen>(block: string | undefined, see: (network: Network.Network) => Seen) =>
  block === undefined ? World.read(({ network }) => see(network)) : Effect.fail(discardedBlock(block))

const reading = (see: (network: Network.Network) => unknown) =>
  method(Schema.Struct(at), (params) => look(params.at, see))

const environmentPart = (write: (environment: Network.Environment) => unknown) =>
  reading((network) => write(Network.environment(network)))

/**
 * `cf_environment` and its four parts (chainflip/wire.md 1.5). One document with every chain, and every member that any
 * version of the clients reads (6.4).
 */

const orNull = (amount: bigint | undefined) => amount === undefined ? null : Values.numberOrHex(amount)

const ingressEgressEnvironment = ({ asset: assetOf, chain: chainView }: Network.Environment) => ({
  minimum_deposit_amounts: Values.assetMap((asset) => Values.numberOrHex(assetOf(asset).minimumDeposit)),
  ingress_fees: Values.assetMap((asset) => Values.numberOrHex(assetOf(asset).ingressFee)),
  egress_fees: Values.assetMap((asset) => Values.numberOrHex(assetOf(asset).egressFee)),
  witness_safety_margins: Values.chainMap((chain) => chainView(chain).witnessSafetyMargin),
  egress_dust_limits: Values.assetMap((asset) => Values.numberOrHex(assetOf(asset).egressDustLimit)),
  channel_opening_fees: Values.chainMap((chain) => Values.numberOrHex(chainView(chain).channelOpeningFee)),
  ingress_delays: Values.chainMap((chain) => chainView(chain).ingressDelay),
  boost_delays: Values.chainMap((chain) => chainView(chain).boostDelay),
  // No one adds funds to the sandbox's boost pools.
  boost_minimum_add_funds_amounts: Values.assetMap(() => null),
})

/** The rate is in hundredth pips, the minimum in native units of the intermediate asset. */
const networkFee = ({ networkFeeMinimum, networkFeeRate }: Network.Environment) => ({
  standard_rate_and_minimum: { rate: networkFeeRate, minimum: Values.numberOrHex(networkFeeMinimum) },
  rates: Values.assetMap(() => networkFeeRate),
})

const swappingEnvironment = (environment: Network.Environment) => ({
  maximum_swap_amounts: Values.assetMap((asset) => orNull(environment.asset(asset).maximumSwap)),
  network_fee_hundredth_pips: environment.networkFeeRate,
  network_fees: {
    regular_network_fee: networkFee(environment),
    internal_swap_network_fee: networkFee(environment),
  },
  swap_retry_delay_blocks: environment.swapRetryDelayBlocks,
  max_swap_retry_duration_blocks: environment.maximumSwapRetryDurationBlocks,
  max_swap_request_duration_blocks: environment.maximumSwapRequestDurationBlocks,
  minimum_chunk_size: Values.assetMap((asset) => Values.numberOrHex(environment.asset(asset).minimumChunk)),
  default_oracle_price_protection: Values.assetMap((asset) =>
    environment.asset(asset).oracleProtectionBps ?? null
  ),
})

/** `cf_funding_environment`, in native units of flip.eth; nothing in the sandbox is funded. */
const fundingEnvironment = () => ({ redemption_tax: 0, minimum_funding_amount: 0 })

const nothingYet = { base: Values.hex(0n), quote: Values.hex(0n) }

/** `cf_pool_info`: the sandbox's pools take no fee of their own. */
const poolInfo = () => ({
  limit_order_fee_hundredth_pips: 0,
  range_order_fee_hundredth_pips: 0,
  range_order_total_fees_earned: nothingYet,
  limit_order_total_fees_earned: nothingYet,
  range_total_swap_inputs: nothingYet,
  limit_total_swap_inputs: nothingYet,
  quote_asset: Values.wireAsset(intermediateAsset),
})

/** `cf_pools_environment`: every asset except the one that prices all others. */
const poolsEnvironment = () => ({ fees: Values.assetMap(poolInfo, (asset) => asset !== intermediateAsset) })

const wholeEnvironment = (environment: Network.Environment) => ({
  ingress_egress: ingressEgressEnvironment(environment),
  swapping: swappingEnvironment(environment),
  funding: fundingEnvironment(),
  pools: poolsEnvironment(),
})

const supportedAssets = () => networkAssets.map(Values.wireAsset)

/** The assets that the oracle prices in US dollars; tokens on other chains follow their prices. */
const pricedAssets: ReadonlyArray<AssetId> = ["btc.btc", "eth.eth", "sol.sol", "usdc.eth", "usdt.eth"]

const q128 = 2n ** 128n

/** `cf_oracle_prices` (chainflip/wire.md 1.6): Q128 millionths of a dollar per smallest unit, at the latest block. */
const oraclePrices = (network: Network.Network) => {
  const { stateChainHeight, stateChainTime } = Network.time(network)
  const pools = Network.pools(network)
  return pricedAssets.flatMap((asset) => {
    const { decimals } = factsOf(asset)
    const price = asset === intermediateAsset
      ? 10n ** BigInt(decimals)
      : pools.find(({ baseAsset }) => baseAsset === asset)?.price
    return price === undefined ? [] : [{
      price: Values.hex(price * q128 / 10n ** BigInt(decimals)),
      updated_at_oracle_timestamp: Math.floor(stateChainTime / 1_000),
      updated_at_statechain_block: stateChainHeight,
      base_asset: internalIdOf(asset),
      quote_asset: "Usd",
    }]
  })
}

/** `cf_safe_mode_statuses`: the pallets that clients read (chainflip/wire.md 1.6). */
const safeModeStatuses = (environment: Network.Environment, switches: Network.Switches) => ({
  swapping: {
    swaps_enabled: switches.swapsEnabled,
    withdrawals_enabled: switches.withdrawalsEnabled,
    broker_registration_enabled: true,
    deposit_enabled: true,
  },
  ...Object.fromEntries(networkChains.flatMap((chain) => [
    [`ingress_egress_${chain.toLowerCase()}`, ingressEgress(environment, chain)],
    [`broadcast_${chain.toLowerCase()}`, { retry_enabled: true, egress_witnessing_enabled: true }],
  ])),
})

/** The switches of a chain, each on if it is on for any of the chain's assets. */
const ingressEgress = (environment: Network.Environment, chain: Chain) => {
  const anyAsset = (isOn: (asset: AssetView) => boolean) =>
    networkAssets.some((asset) => chainOf(asset) === chain && isOn(environment.asset(asset)))
  return {
    boost_deposits_enabled: anyAsset(({ boostEnabled }) => boostEnabled),
    deposit_channel_creation_enabled: anyAsset(({ creationEnabled }) => creationEnabled),
    deposit_channel_witnessing_enabled: anyAsset(({ depositEnabled }) => depositEnabled),
    vault_deposit_witnessing_enabled: anyAsset(({ depositEnabled }) => depositEnabled),
  }
}

const poolInfoMethod = method(
  Schema.Struct({ base_asset: Values.AssetInput, quote_asset: Values.AssetInput, ...at }),
  Effect.fnUntraced(function* ({ at, base_asset: base, quote_asset: quote }) {
    const pools = yield* look(at, Network.pools)
    return pools.some(({ baseAsset, quoteAsset }) => baseAsset === base && quoteAsset === quote)
      ? poolInfo()
      : yield* dispatchError(moduleErrors.PoolDoesNotExist)
  }),
)

const accountMethods = [
  [
    "cf_account_info",
    method(
      Schema.Struct({ account_id: AccountInput, ...at }),
      (params) => look(params.at, (network) => accountInfo(network, params.account_id)),
      "treasury",
    ),
  ],
  [
    "cf_free_balances",
    method(
      Schema.Struct({ account_id: AccountInput, ...at }),
      (params) => look(params.at, (network) => freeBalances(network, params.account_id)),
      "treasury",
    ),
  ],
  [
    "cf_get_affiliates",
    method(
      Schema.Struct({ broker: AccountInput, affiliate: Schema.optionalKey(AccountInput), ...at }),
      (params) => look(params.at, (network) => affiliatesOf(network, params.broker, params.affiliate)),
      "treasury",
    ),
  ],
  ["system_health", method(Schema.Struct({}), () => look(undefined, health), "treasury")],
] as const

const availablePools = (network: Network.Network) =>
  Network.pools(network).filter(({ baseAsset }) => networkAssets.includes(baseAsset)).map((
    { baseAsset, quoteAsset },
  ) => ({ base: Values.wireAsset(baseAsset), quote: Values.wireAsset(quoteAsset) }))

const boostPoolsDepth = (network: Network.Network) =>
  Network.boostPools(network).map(({ asset, available, tierBps }) => ({
    ...Values.wireAsset(asset),
    tier: tierBps,
    available_amount: Values.hex(available),
  }))

export const nodeMethods: Methods = new Map([
  ["cf_environment", environmentPart(wholeEnvironment)],
  ["cf_ingress_egress_environment", environmentPart(ingressEgressEnvironment)],
  ["cf_swapping_environment", environmentPart(swappingEnvironment)],
  ["cf_funding_environment", environmentPart(fundingEnvironment)],
  ["cf_pools_environment", environmentPart(poolsEnvironment)],
  ["cf_available_pools", reading(availablePools)],
  ["cf_pool_info", poolInfoMethod],
  ["cf_boost_pools_depth", reading(boostPoolsDepth)],
  // Boosts come only from the boost pools, so there are no lending pools.
  ["cf_lending_pools", reading(() => [])],
  ["cf_supported_assets", reading(supportedAssets)],
  [
    "cf_safe_mode_statuses",
    reading((network) => safeModeStatuses(Network.environment(network), Network.switches(network))),
  ],
  ["cf_oracle_prices", reading(oraclePrices)],
  ...accountMethods,
  ...chainMethods,
  ["state_getRuntimeVersion", reading(() => runtimeVersion)],
  ...swapRateMethods,
])
