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
