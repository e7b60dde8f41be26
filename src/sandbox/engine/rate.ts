import { Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import {
  effectiveChunks,
  egressFee,
  nextChunk,
  saturatingSubtract,
  swapChunk,
  type SwappedChunk,
} from "./chunks.ts"
import { reservesBetweenBlocks } from "./pools.ts"
import type { RateRefusal } from "./Refusal.ts"
import type { Network } from "./State.ts"
import type { ExcludableFee, RateQuery, SwapRate } from "./View.ts"
import { assetState } from "./assetState.ts"

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
