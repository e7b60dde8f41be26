import { Result } from "effect"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { amountWorth, type ReadReserves, reservesBetweenBlocks, type Trade, trade, valueOf } from "./pools.ts"
import type { RateRefusal } from "./Refusal.ts"
import type { ExcludableFee, Network, RateQuery, SwapRate } from "./State.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { assetState, intermediateAsset, networkFeeMinimum, networkFeeRate } from "./figures.ts"

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

/** A simulated swap from deposit to payment, if no one else moves the pools. */
export interface Simulation {
  readonly ingressFee: bigint
  /** The input of the pools, all chunks together. */
  readonly swappedInput: bigint
  readonly intermediate?: bigint
  readonly grossOutput: bigint
  readonly networkFee: bigint
  readonly brokerFee: bigint
  readonly egressFee: bigint
  readonly output: bigint
  /** The first chunk, for figures of a single chunk. */
  readonly chunk: SwappedChunk
}

type Scaled = Omit<SwappedChunk, "trades" | "commissioned">

/** A simulated chunk scaled to `count` equal chunks. The result is exact, as each of them meets the same pools. */
const scaled = (chunk: SwappedChunk, count: bigint): Scaled => ({
  input: chunk.input * count,
  ...(chunk.intermediate === undefined ? {} : { intermediate: chunk.intermediate * count }),
  output: chunk.output * count,
  networkFee: chunk.networkFee * count,
  brokerFee: chunk.brokerFee * count,
})

const added = (one: Scaled, other: Scaled) => ({
  ...(one.intermediate === undefined || other.intermediate === undefined
    ? {}
    : { intermediate: one.intermediate + other.intermediate }),
  grossOutput: one.output + other.output,
  networkFee: one.networkFee + other.networkFee,
  brokerFee: one.brokerFee + other.brokerFee,
})

/** Every refusal except that of a zero input, which only callers from outside can ask for. */
type SimulationRefusal = Exclude<RateRefusal, { readonly _tag: "ZeroInput" }>

/** Simulates a swap (chainflip/wire.md 1.3). Where chunks differ by a unit both sizes are simulated: it is exact. */
export const simulate = (network: Network, query: RateQuery): Result.Result<Simulation, SimulationRefusal> =>
  Result.gen(function* () {
    const { sourceAsset, destinationAsset, amount, commissionBps } = query
    const isCharged = (fee: ExcludableFee): boolean => !(query.excludedFees ?? []).includes(fee)
    if (sourceAsset === destinationAsset) {
      return yield* Result.fail({ _tag: "AssetsCannotBeSwapped" } as const)
    }
    const ingressFee = isCharged("IngressDepositChannel") && isCharged("IngressVaultSwap")
      ? assetState(network, sourceAsset).ingressFee
      : 0n
    if (ingressFee > amount) {
      return yield* Result.fail(
        { _tag: "IngressFeeNotCovered", ingressFee: NativeAmount.make(ingressFee) } as const,
      )
    }
    const swappedInput = amount - ingressFee
    const chunks = effectiveChunks(
      swappedInput,
      query.numberOfChunks ?? 1,
      assetState(network, sourceAsset).minimumChunk,
    )
    const larger = swappedInput % BigInt(chunks)
    const size = nextChunk(swappedInput, chunks)
    const commissionOf = (usdc: bigint) => shareOf(usdc, commissionBps)
    const route = { sourceAsset, destinationAsset, commissionOf, networkFeeCharged: isCharged("Network") }
    const read = reservesBetweenBlocks(network)
    const swap = (input: bigint) => Result.mapError(swapChunk(read, route, input), (_tag) => ({ _tag }))
    const chunk = yield* swap(size)
    const last = larger === 0n ? chunk : yield* swap(size + 1n)
    const total = added(scaled(chunk, BigInt(chunks) - larger), scaled(last, larger))
    const fee = isCharged("Egress") ? egressFee(network, destinationAsset, query.ccmGasBudget) : 0n
    const output = saturatingSubtract(total.grossOutput, fee)
    return { ...total, ingressFee, swappedInput, egressFee: fee, output, chunk }
  })

/** The answer of `cf_swap_rate_v3` (chainflip/wire.md 1.3), from the pools as the next block finds them. */
export const rateOf = (network: Network, query: RateQuery): Result.Result<SwapRate, RateRefusal> =>
  query.amount === 0n
    ? Result.fail({ _tag: "ZeroInput" })
    : Result.map(simulate(network, query), (simulation) => ({
      ...optionalMembers(simulation.intermediate, (amount) => ({ intermediary: NativeAmount.make(amount) })),
      output: NativeAmount.make(simulation.output),
      ingressFee: NativeAmount.make(simulation.ingressFee),
      networkFee: NativeAmount.make(simulation.networkFee),
      brokerCommission: NativeAmount.make(simulation.brokerFee),
      egressFee: NativeAmount.make(simulation.egressFee),
    }))
