import { Result } from "effect"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { stateChainHeight } from "./blocks.ts"
import { assetState, intermediateAsset, networkFeeMinimum, networkFeeRate } from "./figures.ts"
import type { RateRefusal } from "./Refusal.ts"
import type { AssetState, ExcludableFee, Network, RateQuery, Reserves, SwapRate } from "./State.ts"

/** A trade against one pool: the base asset for USDC ("sell") or the other way round ("buy"). */
export interface Trade {
  readonly base: AssetId
  readonly side: "sell" | "buy"
  readonly input: bigint
  readonly output: bigint
  /** The pool's reserve of the asset that it paid out, before the trade. */
  readonly available: bigint
  readonly after: Reserves
}

export type ReadReserves = (base: AssetId) => Reserves

export const wholeUnit = (asset: AssetId): bigint => 10n ** BigInt(factsOf(asset).decimals)

/** A pool at its reference price: it has as much of the base asset as its USDC side is worth, rounded down. */
export const reservesAt = (
  base: AssetId,
  { price, depth }: Pick<AssetState, "price" | "depth">,
): Reserves => ({ base: depth * wholeUnit(base) / price, quote: depth })

/** The pools as each block finds them: arbitrage has restored their reference prices. */
export const reservesBetweenBlocks = (network: Network): ReadReserves => (base) =>
  reservesAt(base, assetState(network, base))

/** The pools within the latest block, after the swaps executed in it so far. */
export const reservesWithinBlock = (network: Network): ReadReserves => (base) =>
  (network.tradedBlock === stateChainHeight(network) ? network.traded.get(base) : undefined) ??
    reservesBetweenBlocks(network)(base)

/** Keeps the reserves after a trade until the end of the block. */
export const keepTrade = (network: Network, trade: Trade): void => {
  const height = stateChainHeight(network)
  if (network.tradedBlock !== height) {
    network.tradedBlock = height
    network.traded.clear()
  }
  network.traded.set(trade.base, trade.after)
}

/** Constant product, without a fee: out × input / (in + input), rounded down; at most half of the reserve. */
export const trade = (
  read: ReadReserves,
  base: AssetId,
  side: Trade["side"],
  input: bigint,
): Result.Result<Trade, "InsufficientLiquidity"> => {
  const held = read(base)
  const [taken, given] = side === "sell" ? [held.base, held.quote] : [held.quote, held.base]
  if (input > taken) return Result.fail("InsufficientLiquidity")
  const output = taken === 0n ? 0n : given * input / (taken + input)
  const after = side === "sell"
    ? { base: held.base + input, quote: held.quote - output }
    : { base: held.base - output, quote: held.quote + input }
  return Result.succeed({ base, side, input, output, available: given, after })
}

/** The value of an amount at the reference prices, in native units of usdc.eth, rounded down. */
export const valueOf = (network: Network, asset: AssetId, amount: bigint): bigint =>
  amount * assetState(network, asset).price / wholeUnit(asset)

/** The amount of an asset that a value in native usdc.eth buys at the reference price, rounded down. */
export const amountWorth = (network: Network, asset: AssetId, value: bigint): bigint =>
  value * wholeUnit(asset) / assetState(network, asset).price

/** Whether an asset has a pool: all have but usdc.eth, which pools are priced in. */
export const hasPool = (asset: AssetId): boolean => asset !== intermediateAsset

/** The decimals of a reference price, which is in native usdc.eth. */
export const priceDecimals = factsOf("usdc.eth").decimals

/** An amount in USD at the price of one whole unit, rounded down to so many places: `"6.237600"`. */
export const inUsd = (asset: AssetId, price: bigint, amount: bigint, places: number): string => {
  const worth = amount * price * 10n ** BigInt(places) /
    10n ** BigInt(factsOf(asset).decimals + priceDecimals)
  const digits = `${worth}`.padStart(places + 1, "0")
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

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

/** The least input that is enough, up to `most`; undefined where that is not. More of it is never too little. */
export const leastInput = (isEnough: (input: bigint) => boolean, most: bigint): bigint | undefined => {
  if (!isEnough(most)) return undefined
  let [tooLittle, enough] = [0n, most]
  while (enough - tooLittle > 1n) {
    const middle = (tooLittle + enough) / 2n
    if (isEnough(middle)) enough = middle
    else tooLittle = middle
  }
  return enough
}

/** A little less than an output: the part of one that was seen in place of what was asked for. */
export const lessOf = (output: bigint): bigint => output * 999_956n / 1_000_000n
