import { BigDecimal, Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { DcaParameters } from "#domain/swaps/SwapRequest.ts"
import type { Fee, FeeType } from "#domain/money/Fee.ts"
import { Price } from "#domain/money/Price.ts"
import type { PoolInfo } from "#domain/quotes/Quote.ts"
import { boostFeeOf, type BoostPlan, planBoost } from "./boost.ts"
import {
  intermediateAsset,
  maximumRequestDurationBlocks,
  offeredChunkInterval,
  offeredChunkValue,
} from "./figures.ts"
import {
  durationsOf,
  livePriceSlippageTolerance,
  retryDurationMinutes,
  slippageTolerance,
  totalDuration,
} from "./estimates.ts"
import { valueOf, wholeUnit } from "./pools.ts"
import { simulate, type Simulation } from "./rate.ts"
import type { QuoteRefusal } from "./Refusal.ts"
import type { Network } from "./State.ts"
import type { BoostOffer, Offer, QuoteQuery } from "./View.ts"
import { assetState } from "./assetState.ts"

/** A fee limit that accepts every boost pool. */
const highestBps = 10_000

const switchesRefusal = (network: Network, query: QuoteQuery): QuoteRefusal | undefined => {
  const { sourceAsset, destinationAsset } = query
  if (network.quotingMaintenance) return { _tag: "QuotingMaintenance" }
  if (sourceAsset === destinationAsset) return { _tag: "AssetsCannotBeSwapped" }
  const source = assetState(network, sourceAsset)
  const needsChannel = query.isVaultSwap !== true
  if (!source.depositEnabled || needsChannel && !source.creationEnabled) {
    return { _tag: "AssetDisabled", asset: sourceAsset }
  }
  if (!assetState(network, destinationAsset).egressEnabled) {
    return { _tag: "AssetDisabled", asset: destinationAsset }
  }
  return undefined
}

const limitsRefusal = (network: Network, query: QuoteQuery): QuoteRefusal | undefined => {
  const { minimumDeposit, maximumSwap, ingressFee } = assetState(network, query.sourceAsset)
  if (query.amount < minimumDeposit) return { _tag: "BelowMinimum", minimum: minimumDeposit }
  if (maximumSwap !== undefined && query.amount > maximumSwap) {
    return { _tag: "AboveMaximum", maximum: maximumSwap }
  }
  if (ingressFee > query.amount) return { _tag: "IngressFeeNotCovered", ingressFee }
  return undefined
}

/** The chunks to offer: from 10 000 USD up, one for each 10 000, if they end within a day (chainflip/wire.md 3.3). */
const offeredDca = (network: Network, query: QuoteQuery): DcaParameters | undefined => {
  const value = valueOf(network, query.sourceAsset, query.amount)
  if (!query.dcaEnabled || value <= offeredChunkValue) return undefined
  const chunks = (value + offeredChunkValue - 1n) / offeredChunkValue
  if (chunks > BigInt(maximumRequestDurationBlocks / offeredChunkInterval)) return undefined
  return { numberOfChunks: Number(chunks), chunkIntervalBlocks: offeredChunkInterval }
}

/** The simulation, if its output covers the egress fee and the rest is not dust (chainflip/wire.md 3.5). */
const paying = (
  network: Network,
  query: QuoteQuery,
  simulation: Simulation,
): Result.Result<Simulation, QuoteRefusal> => {
  const minimum = assetState(network, query.destinationAsset).egressDustLimit
  if (simulation.grossOutput <= simulation.egressFee) {
    return Result.fail({ _tag: "EgressFeeNotCovered", egressFee: NativeAmount.make(simulation.egressFee) })
  }
  return simulation.output < minimum
    ? Result.fail({ _tag: "EgressBelowMinimum", amount: NativeAmount.make(simulation.output), minimum })
    : Result.succeed(simulation)
}

const attempt = (
  network: Network,
  query: QuoteQuery,
  dca: DcaParameters | undefined,
): Result.Result<Simulation, QuoteRefusal> =>
  simulate(network, {
    ...query,
    ...(dca === undefined ? {} : { numberOfChunks: dca.numberOfChunks }),
  }).pipe(Result.flatMap((simulation) => paying(network, query, simulation)))

/** The boosted offer, if the boost pools hold enough and the output can still be paid. */
const attemptBoosted = (
  network: Network,
  query: QuoteQuery,
  dca: DcaParameters | undefined,
): BoostOffer | undefined => {
  const plan = assetState(network, query.sourceAsset).boostEnabled
    ? planBoost(network.boostPools, query.amount, highestBps)
    : undefined
  if (plan === undefined) return undefined
  const fee = boostFeeOf(plan)
  const simulation = attempt(network, { ...query, amount: NativeAmount.make(query.amount - fee) }, dca)
  return Result.isSuccess(simulation)
    ? boostOffer(network, { query, dca, simulation: simulation.success }, plan)
    : undefined
}

/** As `GET /v2/quote` (chainflip/wire.md 3.2, 3.3): REGULAR if the pools hold enough at once, DCA if for a chunk. */
export const quote = (
  network: Network,
  query: QuoteQuery,
): Result.Result<ReadonlyArray<Offer>, QuoteRefusal> =>
  Result.gen(function* () {
    const refusal = switchesRefusal(network, query) ?? limitsRefusal(network, query)
    if (refusal !== undefined) return yield* Result.fail(refusal)
    const dca = offeredDca(network, query)
    const variants = dca === undefined ? [undefined] : [undefined, dca]
    const offers: Array<Offer> = []
    for (const variant of variants) {
      const simulation = attempt(network, query, variant)
      if (Result.isFailure(simulation) && simulation.failure._tag === "InsufficientLiquidity") continue
      const boostQuote = attemptBoosted(network, query, variant)
      offers.push({
        ...plainOffer(network, { query, dca: variant, simulation: yield* simulation }),
        ...(boostQuote === undefined ? {} : { boostQuote }),
      })
    }
    return offers.length === 0 ? yield* Result.fail({ _tag: "InsufficientLiquidity" } as const) : offers
  })

interface Simulated {
  /** The query has the deposited amount, even where a boost fee is subtracted first. */
  readonly query: QuoteQuery
  readonly dca: DcaParameters | undefined
  readonly simulation: Simulation
}

/** The digits behind the point that the upstream prints. */
const priceScale = 20

/** (egress + its fee) / (deposit − boost and ingress fee), 20 places, half up (chainflip/wire.md 3.2, 3.3). */
export const estimatedPrice = (
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  { swappedInput, grossOutput }: Pick<Simulation, "swappedInput" | "grossOutput">,
): Price => {
  const numerator = grossOutput * wholeUnit(sourceAsset) * 10n ** BigInt(priceScale)
  const denominator = swappedInput * wholeUnit(destinationAsset)
  const rounded = (2n * numerator + denominator) / (2n * denominator)
  return Price.make(BigDecimal.normalize(BigDecimal.make(rounded, priceScale)))
}

const fee = (type: FeeType, asset: AssetId, amount: bigint): Fee => ({
  type,
  asset,
  amount: NativeAmount.make(amount),
})

/** The fees in wire order; the broker's only if there is one (chainflip/wire.md 3.2). */
const feesOf = ({ query, simulation }: Simulated, boostFee: bigint | undefined): ReadonlyArray<Fee> => [
  ...(boostFee === undefined ? [] : [fee("boost", query.sourceAsset, boostFee)]),
  fee("ingress", query.sourceAsset, simulation.ingressFee),
  fee("network", intermediateAsset, simulation.networkFee),
  ...(simulation.brokerFee === 0n ? [] : [fee("broker", intermediateAsset, simulation.brokerFee)]),
  fee("egress", query.destinationAsset, simulation.egressFee),
]

/** Pools charge no fee today; the first would charge it in the source asset, a second in USDC. */
const poolsOf = ({ simulation, query }: Simulated): ReadonlyArray<PoolInfo> =>
  simulation.chunk.trades.map(({ base }, index) => ({
    baseAsset: base,
    quoteAsset: intermediateAsset,
    fee: { asset: index === 0 ? query.sourceAsset : intermediateAsset, amount: NativeAmount.make(0n) },
  }))

/** Whether the payment is worth at most 95 % of the deposit at the reference prices (chainflip/wire.md 3.3). */
const isLowLiquidity = (network: Network, { query, simulation }: Simulated): boolean => {
  const { sourceAsset, destinationAsset, amount } = query
  const paid = simulation.output * assetState(network, destinationAsset).price * wholeUnit(sourceAsset)
  const deposited = amount * assetState(network, sourceAsset).price * wholeUnit(destinationAsset)
  return paid * 100n <= deposited * 95n
}

const figures = (
  network: Network,
  simulated: Simulated,
  boost: BoostPlan | undefined,
): Omit<Offer, "boostQuote"> => {
  const { query, dca, simulation } = simulated
  const { sourceAsset, destinationAsset, amount } = query
  const price = estimatedPrice(sourceAsset, destinationAsset, simulation)
  const boosted = boost !== undefined
  const route = { sourceAsset, destinationAsset, boosted, ...(dca === undefined ? {} : { dca }) }
  const durations = durationsOf(route)
  const live = livePriceSlippageTolerance(network, route)
  return {
    ...(dca === undefined ? {} : { dca }),
    ingress: { asset: sourceAsset, amount },
    ...(simulation.intermediate === undefined ? {} : {
      intermediate: { asset: intermediateAsset, amount: NativeAmount.make(simulation.intermediate) },
    }),
    egress: { asset: destinationAsset, amount: NativeAmount.make(simulation.output) },
    fees: feesOf(simulated, boost === undefined ? undefined : boostFeeOf(boost)),
    pools: poolsOf(simulated),
    lowLiquidityWarning: isLowLiquidity(network, simulated),
    durations,
    totalDuration: totalDuration(durations),
    estimatedPrice: price,
    recommendedSlippageTolerancePercent: slippageTolerance({
      ...route,
      estimatedPrice: price,
      trades: simulation.chunk.trades,
    }),
    ...(live === undefined ? {} : { recommendedLivePriceSlippageTolerancePercent: live }),
    recommendedRetryDurationMinutes: retryDurationMinutes(sourceAsset, destinationAsset),
  }
}

const plainOffer = (network: Network, simulated: Simulated): Offer => figures(network, simulated, undefined)

const boostOffer = (network: Network, simulated: Simulated, plan: BoostPlan): BoostOffer => ({
  ...figures(network, simulated, plan),
  estimatedBoostFeeBps: plan.feeBps,
  maximumBoostFeeBps: plan.maximumFeeBps,
})
