import { assetIds } from "../../domain/Asset.ts"
import type { Environment } from "../engine/View.ts"
import { intermediateAsset } from "../engine/constants.ts"
import { assetMap, chainMap, hex, numberOrHex, wireAsset } from "./encode.ts"

/**
 * `cf_environment` and its four parts (chainflip/wire.md 1.5). One document with every chain and every member
 * that any version of the clients asks for (6.4).
 */

const orNull = (amount: bigint | undefined) => amount === undefined ? null : numberOrHex(amount)

/** `cf_ingress_egress_environment`. */
export const ingressEgressEnvironment = ({ assets, chains }: Environment) => ({
  minimum_deposit_amounts: assetMap((asset) => numberOrHex(assets[asset].minimumDeposit)),
  ingress_fees: assetMap((asset) => numberOrHex(assets[asset].ingressFee)),
  egress_fees: assetMap((asset) => numberOrHex(assets[asset].egressFee)),
  witness_safety_margins: chainMap((chain) => chains[chain].witnessSafetyMargin),
  egress_dust_limits: assetMap((asset) => numberOrHex(assets[asset].egressDustLimit)),
  channel_opening_fees: chainMap((chain) => numberOrHex(chains[chain].channelOpeningFee)),
  ingress_delays: chainMap((chain) => chains[chain].ingressDelay),
  boost_delays: chainMap((chain) => chains[chain].boostDelay),
  // Nobody adds funds to the sandbox's boost pools.
  boost_minimum_add_funds_amounts: assetMap(() => null),
})

/** Rate in hundredth pips, minimum in native units of the intermediate asset. */
const networkFee = ({ networkFeeMinimum, networkFeeRate }: Environment) => ({
  standard_rate_and_minimum: { rate: networkFeeRate, minimum: numberOrHex(networkFeeMinimum) },
  rates: assetMap(() => networkFeeRate),
})

/** `cf_swapping_environment`. */
export const swappingEnvironment = (environment: Environment) => ({
  maximum_swap_amounts: assetMap((asset) => orNull(environment.assets[asset].maximumSwap)),
  network_fee_hundredth_pips: environment.networkFeeRate,
  network_fees: {
    regular_network_fee: networkFee(environment),
    internal_swap_network_fee: networkFee(environment),
  },
  swap_retry_delay_blocks: environment.swapRetryDelayBlocks,
  max_swap_retry_duration_blocks: environment.maximumSwapRetryDurationBlocks,
  max_swap_request_duration_blocks: environment.maximumSwapRequestDurationBlocks,
  minimum_chunk_size: assetMap((asset) => numberOrHex(environment.assets[asset].minimumChunk)),
  default_oracle_price_protection: assetMap((asset) => environment.assets[asset].oracleProtectionBps ?? null),
})

/** `cf_funding_environment`, in native units of flip.eth; nothing in the sandbox is funded. */
export const fundingEnvironment = () => ({ redemption_tax: 0, minimum_funding_amount: 0 })

const nothingYet = { base: hex(0n), quote: hex(0n) }

/** `cf_pool_info`: pools of the sandbox take no fee of their own. */
export const poolInfo = () => ({
  limit_order_fee_hundredth_pips: 0,
  range_order_fee_hundredth_pips: 0,
  range_order_total_fees_earned: nothingYet,
  limit_order_total_fees_earned: nothingYet,
  range_total_swap_inputs: nothingYet,
  limit_total_swap_inputs: nothingYet,
  quote_asset: wireAsset(intermediateAsset),
})

/** `cf_pools_environment`: every asset but the one that all others are priced in. */
export const poolsEnvironment = () => ({
  fees: assetMap(poolInfo, (asset) => asset !== intermediateAsset),
})

/** `cf_environment`. */
export const wholeEnvironment = (environment: Environment) => ({
  ingress_egress: ingressEgressEnvironment(environment),
  swapping: swappingEnvironment(environment),
  funding: fundingEnvironment(),
  pools: poolsEnvironment(),
})

/** `cf_supported_assets`. */
export const supportedAssets = () => assetIds.map(wireAsset)
