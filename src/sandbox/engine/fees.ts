import { maximumNativeAmount } from "../../domain/Amount.ts"
import { shareOf } from "../../domain/Bps.ts"
import type { Chain } from "../../domain/Chain.ts"
import { type AssetId, chainOf } from "../../domain/Asset.ts"
import { networkFeeMinimum, networkFeeRate } from "./constants.ts"
import { amountWorth, valueOf } from "./pools.ts"
import type { Network } from "./State.ts"

const smaller = (one: bigint, other: bigint): bigint => one < other ? one : other
const larger = (one: bigint, other: bigint): bigint => one > other ? one : other

/** What is left of an amount, and nothing where the fee is larger (chainflip/wire.md 1.3). */
export const saturatingSubtract = (amount: bigint, fee: bigint): bigint => larger(amount - fee, 0n)

/** The network's and the broker's parts of the USDC that passes between the legs. */
export interface PassageFees {
  readonly networkFee: bigint
  readonly brokerFee: bigint
  /** What is left. */
  readonly passed: bigint
}

/**
 * The fees of the USDC in the middle of a route, in this order (chainflip/wire.md 1.3): network fee
 * max(rate × amount, minimum), at most the amount; broker fee on what is left. All rounded down.
 */
export const passageFees = (usdc: bigint, commissionBps: number, networkFeeCharged = true): PassageFees => {
  const rated = usdc * BigInt(networkFeeRate) / 1_000_000n
  const networkFee = networkFeeCharged ? smaller(larger(rated, networkFeeMinimum), usdc) : 0n
  const brokerFee = shareOf(usdc - networkFee, commissionBps)
  return { networkFee, brokerFee, passed: usdc - networkFee - brokerFee }
}

/** The coin that a chain's own fees are paid in. */
const gasAssets: Readonly<Record<Chain, AssetId>> = {
  Bitcoin: "btc.btc",
  Ethereum: "eth.eth",
  Arbitrum: "eth.arb",
  Solana: "sol.sol",
  Assethub: "dot.hub",
  Tron: "trx.tron",
  Polkadot: "dot.dot",
  Bsc: "bnb.bsc",
}

/**
 * What paying out in an asset costs, in that asset: the egress fee, and with a message its gas budget too,
 * converted from the chain's gas asset at the reference prices. Never more than an amount can be.
 */
export const egressFee = (network: Network, asset: AssetId, gasBudget: bigint = 0n): bigint => {
  const gasAsset = gasAssets[chainOf(asset)]
  const gas = gasAsset === asset
    ? gasBudget
    : amountWorth(network, asset, valueOf(network, gasAsset, gasBudget))
  return smaller(network.assets[asset].egressFee + gas, maximumNativeAmount)
}

/** What a refund costs apart from its egress fee: the network fee's minimum, in the source asset. */
export const refundFee = (network: Network, asset: AssetId, remaining: bigint): bigint =>
  smaller(amountWorth(network, asset, networkFeeMinimum), remaining)
