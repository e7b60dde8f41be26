import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { internalIdOf, networkAssets, networkChains } from "#domain/chains/payload/contractNumbers.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { intermediateAsset } from "../engine/figures.ts"
import * as Network from "../engine/Network.ts"
import type { AssetView } from "../engine/View.ts"
import { assetMap, chainMap, hex, numberOrHex, wireAsset } from "./values.ts"

/**
 * `cf_environment` and its four parts (chainflip/wire.md 1.5). One document with every chain, and every member that any
 * version of the clients reads (6.4).
 */

const orNull = (amount: bigint | undefined) => amount === undefined ? null : numberOrHex(amount)

export const ingressEgressEnvironment = ({ asset: assetOf, chain: chainView }: Network.Environment) => ({
  minimum_deposit_amounts: assetMap((asset) => numberOrHex(assetOf(asset).minimumDeposit)),
  ingress_fees: assetMap((asset) => numberOrHex(assetOf(asset).ingressFee)),
  egress_fees: assetMap((asset) => numberOrHex(assetOf(asset).egressFee)),
  witness_safety_margins: chainMap((chain) => chainView(chain).witnessSafetyMargin),
  egress_dust_limits: assetMap((asset) => numberOrHex(assetOf(asset).egressDustLimit)),
  channel_opening_fees: chainMap((chain) => numberOrHex(chainView(chain).channelOpeningFee)),
  ingress_delays: chainMap((chain) => chainView(chain).ingressDelay),
  boost_delays: chainMap((chain) => chainView(chain).boostDelay),
  // No one adds funds to the sandbox's boost pools.
  boost_minimum_add_funds_amounts: assetMap(() => null),
})

/** The rate is in hundredth pips, the minimum in native units of the intermediate asset. */
const networkFee = ({ networkFeeMinimum, networkFeeRate }: Network.Environment) => ({
  standard_rate_and_minimum: { rate: networkFeeRate, minimum: numberOrHex(networkFeeMinimum) },
  rates: assetMap(() => networkFeeRate),
})

export const swappingEnvironment = (environment: Network.Environment) => ({
  maximum_swap_amounts: assetMap((asset) => orNull(environment.asset(asset).maximumSwap)),
  network_fee_hundredth_pips: environment.networkFeeRate,
  network_fees: {
    regular_network_fee: networkFee(environment),
    internal_swap_network_fee: networkFee(environment),
  },
  swap_retry_delay_blocks: environment.swapRetryDelayBlocks,
  max_swap_retry_duration_blocks: environment.maximumSwapRetryDurationBlocks,
  max_swap_request_duration_blocks: environment.maximumSwapRequestDurationBlocks,
  minimum_chunk_size: assetMap((asset) => numberOrHex(environment.asset(asset).minimumChunk)),
  default_oracle_price_protection: assetMap((asset) => environment.asset(asset).oracleProtectionBps ?? null),
})

/** `cf_funding_environment`, in native units of flip.eth; nothing in the sandbox is funded. */
export const fundingEnvironment = () => ({ redemption_tax: 0, minimum_funding_amount: 0 })

const nothingYet = { base: hex(0n), quote: hex(0n) }

/** `cf_pool_info`: the sandbox's pools take no fee of their own. */
export const poolInfo = () => ({
  limit_order_fee_hundredth_pips: 0,
  range_order_fee_hundredth_pips: 0,
  range_order_total_fees_earned: nothingYet,
  limit_order_total_fees_earned: nothingYet,
  range_total_swap_inputs: nothingYet,
  limit_total_swap_inputs: nothingYet,
  quote_asset: wireAsset(intermediateAsset),
})

/** `cf_pools_environment`: every asset except the one that prices all others. */
export const poolsEnvironment = () => ({ fees: assetMap(poolInfo, (asset) => asset !== intermediateAsset) })

export const wholeEnvironment = (environment: Network.Environment) => ({
  ingress_egress: ingressEgressEnvironment(environment),
  swapping: swappingEnvironment(environment),
  funding: fundingEnvironment(),
  pools: poolsEnvironment(),
})

export const supportedAssets = () => networkAssets.map(wireAsset)

/** The assets that the oracle prices in US dollars; tokens on other chains follow their prices. */
const pricedAssets: ReadonlyArray<AssetId> = ["btc.btc", "eth.eth", "sol.sol", "usdc.eth", "usdt.eth"]

const q128 = 2n ** 128n

/** `cf_oracle_prices` (chainflip/wire.md 1.6): Q128 millionths of a dollar per smallest unit, at the latest block. */
export const oraclePrices = (network: Network.Network) => {
  const { stateChainHeight, stateChainTime } = Network.time(network)
  const pools = Network.pools(network)
  return pricedAssets.flatMap((asset) => {
    const { decimals } = factsOf(asset)
    const price = asset === intermediateAsset
      ? 10n ** BigInt(decimals)
      : pools.find(({ baseAsset }) => baseAsset === asset)?.price
    return price === undefined ? [] : [{
      price: hex(price * q128 / 10n ** BigInt(decimals)),
      updated_at_oracle_timestamp: Math.floor(stateChainTime / 1_000),
      updated_at_statechain_block: stateChainHeight,
      base_asset: internalIdOf(asset),
      quote_asset: "Usd",
    }]
  })
}

/** `cf_safe_mode_statuses`: the pallets that clients read (chainflip/wire.md 1.6). */
export const safeModeStatuses = (environment: Network.Environment, switches: Network.Switches) => ({
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
