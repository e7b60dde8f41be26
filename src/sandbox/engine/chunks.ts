import { Result } from "effect"
import { maximumNativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { intermediateAsset, networkFeeMinimum, networkFeeRate } from "./figures.ts"
import { amountWorth, type ReadReserves, type Trade, trade, valueOf } from "./pools.ts"
import type { Network } from "./State.ts"
import { assetState } from "./assetState.ts"

interface Route {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  /** The commission of the broker and the affiliates together, of this much USDC. */
  readonly commissionOf: (usdc: bigint) => bigint
  /** False only if a simulation leaves the network fee out. */
  readonly networkFeeCharged?: boolean
}

/** A chunk that went through its pools. Fees are in usdc.eth. */
export interface SwappedChunk {
  readonly input: bigint
  /** The input of the second leg; absent on a route with one leg. */
  readonly intermediate?: bigint
  /** The output before the egress fee. */
  readonly output: bigint
  readonly networkFee: bigint
  readonly brokerFee: bigint
  /** The USDC that the commission was taken of. */
  readonly commissioned: bigint
  readonly trades: ReadonlyArray<Trade>
}

/** Swaps one chunk (chainflip/wire.md 1.3): to USDC, network fee, broker fee, to the destination; one leg with USDC. */
export const swapChunk = (
  read: ReadReserves,
  route: Route,
  input: bigint,
): Result.Result<SwappedChunk, "InsufficientLiquidity"> =>
  Result.gen(function* () {
    const { sourceAsset, destinationAsset, commissionOf, networkFeeCharged = true } = route
    const sale = sourceAsset === intermediateAsset
      ? undefined
      : yield* trade(read, sourceAsset, "sell", input)
    const { networkFee, brokerFee, passed } = passageFees(
      sale?.output ?? input,
      commissionOf,
      networkFeeCharged,
    )
    const purchase = destinationAsset === intermediateAsset
      ? undefined
      : yield* trade(read, destinationAsset, "buy", passed)
    return {
      input,
      ...(sale === undefined || purchase === undefined ? {} : { intermediate: passed }),
      output: purchase?.output ?? passed,
      networkFee,
      brokerFee,
      commissioned: passed + brokerFee,
      trades: [sale, purchase].filter((leg) => leg !== undefined),
    }
  })

/** How many chunks there are: at least one, none below the minimum (chainflip/wire.md 1.5 minimum_chunk_size). */
export const effectiveChunks = (amount: bigint, requested: number, minimumChunk: bigint): number => {
  if (minimumChunk === 0n) return requested
  const most = amount / minimumChunk
  return most >= BigInt(requested) ? requested : Math.max(1, Number(most))
}

/** An even share of the rest, rounded down: the last chunks take the remainder. */
export const nextChunk = (remainingInput: bigint, remainingChunks: number): bigint =>
  remainingInput / BigInt(remainingChunks)

export const smaller = (one: bigint, other: bigint): bigint => one < other ? one : other
export const larger = (one: bigint, other: bigint): bigint => one > other ? one : other

/** The amount after a fee; 0 if the fee is larger (chainflip/wire.md 1.3). */
export const saturatingSubtract = (amount: bigint, fee: bigint): bigint => larger(amount - fee, 0n)

/** Fees in the middle of a route (chainflip/wire.md 1.3): network fee max(rate × amount, minimum), then commission. */
export const passageFees = (usdc: bigint, commissionOf: Route["commissionOf"], networkFeeCharged = true): {
  readonly networkFee: bigint
  readonly brokerFee: bigint
  /** The USDC after both fees. */
  readonly passed: bigint
} => {
  const rated = usdc * BigInt(networkFeeRate) / 1_000_000n
  const networkFee = networkFeeCharged ? smaller(larger(rated, networkFeeMinimum), usdc) : 0n
  const brokerFee = commissionOf(usdc - networkFee)
  return { networkFee, brokerFee, passed: usdc - networkFee - brokerFee }
}

/** The egress fee in the asset, with a message's gas budget converted at reference prices; at most all of it. */
export const egressFee = (network: Network, asset: AssetId, gasBudget: bigint = 0n): bigint => {
  const gasAsset = chainFacts(chainOf(asset)).coin
  const gas = gasAsset === asset
    ? gasBudget
    : amountWorth(network, asset, valueOf(network, gasAsset, gasBudget))
  return smaller(assetState(network, asset).egressFee + gas, maximumNativeAmount)
}

/** The fee of a refund apart from its egress fee: the minimum network fee, in the source asset. */
export const refundFee = (network: Network, asset: AssetId, remaining: bigint): bigint =>
  smaller(amountWorth(network, asset, networkFeeMinimum), remaining)
