import { BigDecimal, Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { DcaParameters } from "#domain/swaps/SwapRequest.ts"
import type { Fee, FeeType } from "#domain/money/Fee.ts"
import { Price } from "#domain/money/Price.ts"
import type { Durations, PoolInfo } from "#domain/quotes/Quote.ts"
import { boostFeeOf, type BoostPlan, planBoost } from "./boost.ts"
import {
  assetState,
  chainFigures,
  intermediateAsset,
  maximumRequestDurationBlocks,
  offeredChunkInterval,
  offeredChunkValue,
  swapDelayBlocks,
} from "./figures.ts"
import { hasPool, simulate, type Simulation, type Trade, valueOf, wholeUnit } from "./pools.ts"
import type { QuoteRefusal } from "./Refusal.ts"
import type { BoostOffer, Network, Offer, QuoteQuery } from "./State.ts"
import { stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { blockMillisOf, requiredConfirmations } from "./blocks.ts"

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
        ...figures(network, { query, dca: variant, simulation: yield* simulation }, undefined),
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

/** One percent, in the millionths that percentages are counted in. */
const percent = 1_000_000n
const stableTickers: ReadonlyArray<string> = ["USDC", "USDT"]

const clamp = (value: bigint, minimum: bigint, maximum: bigint): bigint =>
  value < minimum ? minimum : value > maximum ? maximum : value

const roundTo = (value: bigint, step: bigint): bigint => (2n * value + step) / (2n * step) * step

const toPercent = (millionths: bigint): BigDecimal.BigDecimal =>
  BigDecimal.normalize(BigDecimal.make(millionths, 6))

/** The tolerance of stable coins: the price above 0.995, rounded to two places half up; at least half a percent. */
const stableTolerance = (price: Price): bigint => {
  const scale = 20
  const value = BigDecimal.scale(price, scale).value
  const floor = 995n * 10n ** BigInt(scale - 3)
  if (value <= floor) return percent / 2n
  const hundredths = (2n * (value - floor) * 10_000n + value) / (2n * value)
  return clamp(hundredths * percent / 100n, percent / 2n, 100n * percent)
}

/** The term for waiting: one percent for twenty minutes of confirmations, proportionally less for a shorter wait. */
const depositTimeTerm = (sourceAsset: AssetId, boosted: boolean): bigint => {
  const chain = chainOf(sourceAsset)
  const confirmations = boosted ? 1 : requiredConfirmations(chain)
  return clamp(BigInt(confirmations * blockMillisOf(chain)) * percent / (20n * 60_000n), 0n, percent)
}

/** The part of a pool that liquidity providers keep ready beside it: a tenth. */
const undeployedPart = 10n

const liquidityTerm = ({ output, available }: Trade): bigint => {
  if (2n * output > available) return output * percent / (2n * available)
  return output < available / undeployedPart / 2n ? -percent / 2n : 0n
}

interface Recommended extends Omit<DurationQuery, "dca"> {
  readonly estimatedPrice: Price
  /** The trades of a chunk, at least one, each a leg. */
  readonly trades: ReadonlyArray<Trade>
}

/**
 * The recommended slippage tolerance in percent (chainflip/wire.md 3.3). Between stable coins or assets with one ticker
 * it follows the price; with FLIP it is 10; otherwise it is 1 plus a term for waiting and one for liquidity (the larger
 * of the legs'), rounded to quarters, between 0.5 and 2.5.
 */
export const slippageTolerance = (quoted: Recommended): BigDecimal.BigDecimal => {
  const tickers = [factsOf(quoted.sourceAsset).ticker, factsOf(quoted.destinationAsset).ticker]
  if (tickers.every((ticker) => stableTickers.includes(ticker)) || tickers[0] === tickers[1]) {
    return toPercent(stableTolerance(quoted.estimatedPrice))
  }
  if (tickers.includes("FLIP")) return toPercent(10n * percent)
  const sum = percent + depositTimeTerm(quoted.sourceAsset, quoted.boosted) +
    quoted.trades.map(liquidityTerm).reduce((one, other) => one > other ? one : other)
  return toPercent(clamp(roundTo(sum, percent / 4n), percent / 2n, 5n * percent / 2n))
}

/** The sum of both sides' oracle protections in percent; undefined without an oracle price (chainflip/wire.md 3.3). */
export const livePriceSlippageTolerance = (
  network: Network,
  { sourceAsset, destinationAsset }: Pick<Recommended, "sourceAsset" | "destinationAsset">,
): BigDecimal.BigDecimal | undefined => {
  let bps = 0n
  for (const asset of [sourceAsset, destinationAsset]) {
    const protection = assetState(network, asset).oracleProtectionBps
    if (protection === undefined) return undefined
    if (hasPool(asset)) bps += BigInt(protection)
  }
  return BigDecimal.normalize(BigDecimal.make(bps, 2))
}

/** The recommended retry duration in minutes: 30 with Bitcoin on a side, else 5 (chainflip/wire.md 3.3). */
export const retryDurationMinutes = (sourceAsset: AssetId, destinationAsset: AssetId): number =>
  [sourceAsset, destinationAsset].some((asset) => chainOf(asset) === "Bitcoin") ? 30 : 5

const egressMillis = 90_000

interface DurationQuery {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly boosted: boolean
  readonly dca?: DcaParameters
}

/** Milliseconds (chainflip/wire.md 3.3): half a block, safety margin or boost delay, ingress delay, one report block. */
export const durationsOf = ({ sourceAsset, destinationAsset, boosted, dca }: DurationQuery): Durations => {
  const source = chainOf(sourceAsset)
  const sourceBlock = blockMillisOf(source)
  const { witnessSafetyMargin, ingressDelay, boostDelay } = chainFigures(source)
  const confirming = boosted ? boostDelay * stateChainBlockMillis : sourceBlock * witnessSafetyMargin
  const chunks = dca === undefined ? 0 : dca.chunkIntervalBlocks * (dca.numberOfChunks - 1)
  return {
    deposit: sourceBlock / 2 + confirming + (ingressDelay + 1) * stateChainBlockMillis,
    swap: (swapDelayBlocks + chunks) * stateChainBlockMillis,
    egress: egressMillis + blockMillisOf(chainOf(destinationAsset)) / 2,
  }
}

export const totalDuration = ({ deposit, swap, egress }: Durations): number => deposit + swap + egress

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

const boostOffer = (network: Network, simulated: Simulated, plan: BoostPlan): BoostOffer => ({
  ...figures(network, simulated, plan),
  estimatedBoostFeeBps: plan.feeBps,
  maximumBoostFeeBps: plan.maximumFeeBps,
})
