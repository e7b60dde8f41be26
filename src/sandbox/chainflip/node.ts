import { Effect, Schema } from "effect"
import { moduleErrors } from "../engine/Refusal.ts"
import * as Network from "../engine/Network.ts"
import { World } from "../World.ts"
import {
  accountInfo,
  fundingEnvironment,
  ingressEgressEnvironment,
  oraclePrices,
  poolInfo,
  poolsEnvironment,
  safeModeStatuses,
  supportedAssets,
  swappingEnvironment,
  wholeEnvironment,
} from "./environment.ts"
import { AssetInput, hex, wireAsset } from "./values.ts"
import { discardedBlock, dispatchError, type RpcError } from "./refusals.ts"
import { method, type Methods } from "./rpc.ts"
import { swapRateMethods } from "./swapRate.ts"

/** The node's JSON-RPC methods (chainflip/wire.md 1). */

/** The network's version that has every asset of chainflip/wire.md 1.2: 2.3. */
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

const at = { at: Schema.optionalKey(Schema.String) }

/** The network as it is now; what it was at a block of the past is not kept. */
const look = <Seen>(
  block: string | undefined,
  see: (network: Network.Network) => Seen,
): Effect.Effect<Seen, RpcError, World> =>
  block === undefined ? Effect.flatMap(World, (world) => world.read(see)) : Effect.fail(discardedBlock(block))

/** A method without parameters of its own. */
const reading = (see: (network: Network.Network) => unknown) =>
  method(Schema.Struct(at), (params) => look(params.at, see))

const environmentPart = (write: (environment: Network.Environment) => unknown) =>
  reading((network) => write(Network.environment(network)))

const poolInfoMethod = method(
  Schema.Struct({ base_asset: AssetInput, quote_asset: AssetInput, ...at }),
  Effect.fnUntraced(function* ({ at, base_asset: base, quote_asset: quote }) {
    const pools = yield* look(at, Network.pools)
    return pools.some(({ baseAsset, quoteAsset }) => baseAsset === base && quoteAsset === quote)
      ? poolInfo()
      : yield* dispatchError(moduleErrors.PoolDoesNotExist)
  }),
)

const accountInfoMethod = method(
  Schema.Struct({ account_id: Schema.String, ...at }),
  (params) => look(params.at, (network) => accountInfo(params.account_id, Network.affiliates(network))),
)

const availablePools = (network: Network.Network) =>
  Network.pools(network).map(({ baseAsset, quoteAsset }) => ({
    base: wireAsset(baseAsset),
    quote: wireAsset(quoteAsset),
  }))

const boostPoolsDepth = (network: Network.Network) =>
  Network.boostPools(network).map(({ asset, available, tierBps }) => ({
    ...wireAsset(asset),
    tier: tierBps,
    available_amount: hex(available),
  }))

const safeMode = (network: Network.Network) =>
  safeModeStatuses(Network.environment(network), Network.switches(network))

/** Every method of the node. */
export const nodeMethods: Methods = new Map([
  ["cf_environment", environmentPart(wholeEnvironment)],
  ["cf_ingress_egress_environment", environmentPart(ingressEgressEnvironment)],
  ["cf_swapping_environment", environmentPart(swappingEnvironment)],
  ["cf_funding_environment", environmentPart(fundingEnvironment)],
  ["cf_pools_environment", environmentPart(poolsEnvironment)],
  ["cf_available_pools", reading(availablePools)],
  ["cf_pool_info", poolInfoMethod],
  ["cf_boost_pools_depth", reading(boostPoolsDepth)],
  // Boost comes from the boost pools only: there is nothing to lend.
  ["cf_lending_pools", reading(() => [])],
  ["cf_supported_assets", reading(supportedAssets)],
  ["cf_safe_mode_statuses", reading(safeMode)],
  ["cf_oracle_prices", reading(oraclePrices)],
  ["cf_account_info", accountInfoMethod],
  ["state_getRuntimeVersion", reading(() => runtimeVersion)],
  ...swapRateMethods,
])
