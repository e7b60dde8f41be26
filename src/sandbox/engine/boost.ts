import { Bps, shareOf } from "../../domain/Bps.ts"
import type { BoostPool, Loan } from "./State.ts"

/** The least that a boost costs, whatever the tiers of its pools (chainflip/wire.md 3.3). */
const minimumFeeBps = 5

interface Share {
  readonly pool: BoostPool
  readonly lent: bigint
}

/** The pools that would lend a deposit, and their fee. */
export interface BoostPlan {
  readonly amount: bigint
  readonly feeBps: Bps
  /** The highest tier among the pools: who accepts this much is boosted. */
  readonly maximumFeeBps: Bps
  readonly shares: ReadonlyArray<Share>
}

/**
 * The cheapest pools that together hold the amount, cheapest first, none above `maximumBps`; nothing where
 * they do not hold enough. The fee is the pools' average weighted with what each lends, rounded down, and
 * 5 bps at least (chainflip/wire.md 3.3).
 */
export const planBoost = (
  pools: ReadonlyArray<BoostPool>,
  amount: bigint,
  maximumBps: number,
): BoostPlan | undefined => {
  const shares: Array<Share> = []
  let missing = amount
  for (const pool of pools) {
    if (missing === 0n || pool.tierBps > maximumBps) break
    const lent = pool.available < missing ? pool.available : missing
    if (lent > 0n) shares.push({ pool, lent })
    missing -= lent
  }
  const dearest = shares.at(-1)
  if (missing > 0n || dearest === undefined) return undefined
  const weighted = shares.reduce((sum, { pool, lent }) => sum + lent * BigInt(pool.tierBps), 0n) / amount
  return {
    amount,
    feeBps: Bps.make(Math.max(minimumFeeBps, Number(weighted))),
    maximumFeeBps: Bps.make(Math.max(minimumFeeBps, dearest.pool.tierBps)),
    shares,
  }
}

/** What the boost of a plan costs, in native units, rounded down. */
export const boostFeeOf = (plan: BoostPlan): bigint => shareOf(plan.amount, plan.feeBps)

/** Takes the money out of the pools. Each earns its part of the fee, the dearest also what rounding left. */
export const lend = ({ amount, feeBps, shares }: BoostPlan): ReadonlyArray<Loan> => {
  let unearned = shareOf(amount, feeBps)
  const fee = unearned
  return shares.map(({ pool, lent }, index) => {
    const earned = index === shares.length - 1 ? unearned : fee * lent / amount
    unearned -= earned
    pool.available -= lent
    pool.lent += lent
    return { pool, lent, earned }
  })
}

/** Gives back what was lent, with what it earned, when the deposit has its confirmations. */
export const repay = (loans: ReadonlyArray<Loan>): void => {
  for (const { pool, lent, earned } of loans) {
    pool.lent -= lent
    pool.available += lent + earned
  }
}
