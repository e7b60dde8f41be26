import { Result } from "effect"
import type { AssetId } from "../../domain/Asset.ts"
import { intermediateAsset } from "./constants.ts"
import { passageFees } from "./fees.ts"
import { type ReadReserves, type Trade, trade } from "./pools.ts"

/** What a chunk is swapped from and to, and what the broker takes. */
export interface Route {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  /** Broker and affiliates together. */
  readonly commissionBps: number
  /** False only where a simulation leaves the network fee out. */
  readonly networkFeeCharged?: boolean
}

/** A chunk that went through its pools. Fees are in usdc.eth. */
export interface SwappedChunk {
  readonly input: bigint
  /** What entered the second leg; absent on a route of one leg. */
  readonly intermediate?: bigint
  /** Before the egress fee. */
  readonly output: bigint
  readonly networkFee: bigint
  readonly brokerFee: bigint
  readonly trades: ReadonlyArray<Trade>
}

/**
 * One chunk from its input to its output, by the order of chainflip/wire.md 1.3: to USDC, network fee, broker
 * fee, to the destination asset. Where one side is USDC there is one leg, and the fees come off the USDC.
 */
export const swapChunk = (
  read: ReadReserves,
  route: Route,
  input: bigint,
): Result.Result<SwappedChunk, "InsufficientLiquidity"> =>
  Result.gen(function* () {
    const { sourceAsset, destinationAsset, commissionBps, networkFeeCharged = true } = route
    const sale = sourceAsset === intermediateAsset
      ? undefined
      : yield* trade(read, sourceAsset, "sell", input)
    const { networkFee, brokerFee, passed } = passageFees(
      sale?.output ?? input,
      commissionBps,
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
      trades: [sale, purchase].filter((leg) => leg !== undefined),
    }
  })

/**
 * How many chunks an amount is really divided into: no chunk is smaller than the minimum, and there is at
 * least one (chainflip/wire.md 1.5 minimum_chunk_size).
 */
export const effectiveChunks = (amount: bigint, requested: number, minimumChunk: bigint): number => {
  if (minimumChunk === 0n) return requested
  const most = amount / minimumChunk
  return most >= BigInt(requested) ? requested : Math.max(1, Number(most))
}

/** The next of the chunks that remain: an even share, rounded down, so that the last take the remainder. */
export const nextChunk = (remainingInput: bigint, remainingChunks: number): bigint =>
  remainingInput / BigInt(remainingChunks)
