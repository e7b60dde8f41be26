import { BigDecimal } from "effect"
import { NativeAmount } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { DcaParameters } from "../../domain/Dca.ts"
import type { Fee, FeeType } from "../../domain/Fee.ts"
import { Price } from "../../domain/Price.ts"
import type { PoolInfo } from "../../domain/Quote.ts"
import { boostFeeOf, type BoostPlan } from "./boost.ts"
import { intermediateAsset } from "./constants.ts"
import { durationsOf, totalDuration } from "./durations.ts"
import { wholeUnit } from "./pools.ts"
import type { Simulation } from "./rate.ts"
import { livePriceSlippageTolerance, retryDurationMinutes, slippageTolerance } from "./recommend.ts"
import type { Network } from "./State.ts"
import type { BoostOffer, Offer, QuoteQuery } from "./View.ts"

/** A simulation with what it answers. */
export interface Simulated {
  /** With the amount that is deposited, also where a boost fee comes off it first. */
  readonly query: QuoteQuery
  readonly dca: DcaParameters | undefined
  readonly simulation: Simulation
}

/** The digits behind the point that upstream prints. */
const priceScale = 20

/**
 * Destination for source in human units: (egress + egress fee) / (deposit − boost fee − ingress fee), to 20
 * places rounded half up as upstream's own division gives it (chainflip/wire.md 3.2, 3.3).
 */
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

/** In wire order; the broker's only where there is one (chainflip/wire.md 3.2). */
const feesOf = ({ query, simulation }: Simulated, boostFee: bigint | undefined): ReadonlyArray<Fee> => [
  ...(boostFee === undefined ? [] : [fee("boost", query.sourceAsset, boostFee)]),
  fee("ingress", query.sourceAsset, simulation.ingressFee),
  fee("network", intermediateAsset, simulation.networkFee),
  ...(simulation.brokerFee === 0n ? [] : [fee("broker", intermediateAsset, simulation.brokerFee)]),
  fee("egress", query.destinationAsset, simulation.egressFee),
]

/** Pools take no fee today; the first would take it in the source asset, a second in USDC. */
const poolsOf = ({ simulation, query }: Simulated): ReadonlyArray<PoolInfo> =>
  simulation.chunk.trades.map(({ base }, index) => ({
    baseAsset: base,
    quoteAsset: intermediateAsset,
    fee: { asset: index === 0 ? query.sourceAsset : intermediateAsset, amount: NativeAmount.make(0n) },
  }))

/** The payment is worth 95 % of the deposit at the reference prices or less (chainflip/wire.md 3.3). */
const isLowLiquidity = (network: Network, { query, simulation }: Simulated): boolean => {
  const { sourceAsset, destinationAsset, amount } = query
  const paid = simulation.output * network.assets[destinationAsset].price * wholeUnit(sourceAsset)
  const deposited = amount * network.assets[sourceAsset].price * wholeUnit(destinationAsset)
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

/** The offer of a simulation without boost. */
export const plainOffer = (network: Network, simulated: Simulated): Offer =>
  figures(network, simulated, undefined)

/** The offer of a simulation of what the boost fee leaves. */
export const boostOffer = (network: Network, simulated: Simulated, plan: BoostPlan): BoostOffer => ({
  ...figures(network, simulated, plan),
  estimatedBoostFeeBps: plan.feeBps,
  maximumBoostFeeBps: plan.maximumFeeBps,
})
