import { Schema } from "effect"
import { type AssetId, chainOf } from "../chains/Asset.ts"

/** The normal quantile of a two-sided 95 %, 1.96, in hundredths. */
const z = 196n
const zSquared = z * z

/** The least integer whose square is not below `value`. */
const ceilSqrt = (value: bigint): bigint => {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (let next = (root + value / root) >> 1n; next < root; next = (root + value / root) >> 1n) root = next
  return root * root === value ? root : root + 1n
}

/**
 * The lower end of the 95 % Wilson interval of `completed` of `n`, in millionths, rounded down: (2k + z² − z√(z² +
 * 4k(n − k)/n)) / 2(n + z²). In integers throughout, so that everybody gets the same figure. `n` is above 0.
 */
export const lowerBoundPpm = (completed: number, n: number): number => {
  const [k, all] = [BigInt(completed), BigInt(n)]
  // The square of the root below times 10^24, rounded up.
  const square = ((zSquared * all + 40_000n * k * (all - k)) * 10n ** 20n + all - 1n) / all
  const numerator = (20_000n * k + zSquared) * 10n ** 10n - z * ceilSqrt(square)
  return numerator <= 0n ? 0 : Number(numerator / (2n * (10_000n * all + zSquared) * 10_000n))
}

/** The days that a track record goes back. */
export const recordDays = 30

/** The fewest swaps that a bound, and a share or a time in words, is told of. */
export const fewestSwaps = 20

/** How swaps of a provider and a class of pairs ended, over all accounts of this installation. */
const SwapEnds = Schema.Struct({
  completed: Schema.Int,
  refunded: Schema.Int,
  failed: Schema.Int,
  stalled: Schema.Int,
})
export type SwapEnds = typeof SwapEnds.Type

/** The observed times from the deposit to the payout, in seconds: nearest ranks of `n` swaps. */
const ObservedTimes = Schema.Struct({ p50: Schema.Finite, p90: Schema.Finite, n: Schema.Int })
export type ObservedTimes = typeof ObservedTimes.Type

/** What our own swaps tell of a provider and a class of pairs. */
export const TrackRecord = Schema.Struct({
  ...SwapEnds.fields,
  n: Schema.Int,
  /** The 95 % Wilson bound below `completed / n`, in millionths; absent where `n` is too small to say anything. */
  lowerBoundPpm: Schema.optionalKey(Schema.Int),
  /** Absent where no time is known. */
  times: Schema.optionalKey(ObservedTimes),
})
export type TrackRecord = typeof TrackRecord.Type

/** The class of a pair: its two chains. They matter far more than the assets, and a class needs many swaps. */
export const classOfPair = (source: AssetId, destination: AssetId): string =>
  `${chainOf(source)} to ${chainOf(destination)}`

const nearestRank = (sorted: ReadonlyArray<number>, percent: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * percent / 100) - 1)] ?? 0

export const trackRecord = (ends: SwapEnds, seconds: ReadonlyArray<number>): TrackRecord => {
  const { completed, failed, refunded, stalled } = ends
  const n = completed + refunded + failed + stalled
  const sorted = seconds.toSorted((one, other) => one - other)
  return {
    completed,
    refunded,
    failed,
    stalled,
    n,
    ...(n < fewestSwaps ? {} : { lowerBoundPpm: lowerBoundPpm(completed, n) }),
    ...(sorted.length === 0
      ? {}
      : { times: { p50: nearestRank(sorted, 50), p90: nearestRank(sorted, 90), n: sorted.length } }),
  }
}

/** The record of a provider that has had no swaps of a class. */
export const emptyRecord: TrackRecord = trackRecord({ completed: 0, refunded: 0, failed: 0, stalled: 0 }, [])
