import { BigDecimal } from "effect"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { stateChainBlockMillis } from "#domain/chains/Chain.ts"
import type { DcaParameters } from "#domain/swaps/SwapRequest.ts"
import type { Price } from "#domain/money/Price.ts"
import type { Durations } from "#domain/quotes/Quote.ts"
import { blockMillisOf, requiredConfirmations } from "./blocks.ts"
import { chainFigures, swapDelayBlocks } from "./figures.ts"
import { hasPool, type Trade } from "./pools.ts"
import type { Network } from "./State.ts"
import { assetState } from "./assetState.ts"

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

interface Recommended {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly boosted: boolean
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
