import { Bps, shareOf } from "#domain/money/Bps.ts"
import type { BoostPool, Loan } from "./State.ts"

/** The least fee of a boost, whatever the tiers of its pools (chainflip/wire.md 3.3). */
const minimumFeeBps = 5

interface Share {
  readonly pool: BoostPool
  readonly lent: bigint
}

export interface BoostPlan {
  readonly amount: bigint
  readonly feeBps: Bps
  /** The highest tier of all pools (chainflip/wire.md 3.3): a user who accepts this fee is boosted. */
  readonly maximumFeeBps: Bps
  readonly shares: ReadonlyArray<Share>
}

/** The cheapest pools that hold the amount; the fee is their weighted average, at least 5 bps (chainflip/wire.md 3.3). */
export const planBoost = (pools: ReadonlyArray<BoostPool>, amount: bigint, maximumBps: number) => {
  const shares: Array<Share> = []
  let missing = amount
  for (const pool of pools) {
    if (missing === 0n || pool.tierBps > maximumBps) break
    const lent = pool.available < missing ? pool.available : missing
    if (lent > 0n) shares.push({ pool, lent })
    missing -= lent
  }
  const dearest = pools.at(-1)
  if (missing > 0n || dearest === undefined) return undefined
  const weighted = shares.reduce((sum, { pool, lent }) => sum + lent * BigInt(pool.tierBps), 0n) / amount
  return {
    amount,
    feeBps: Bps.make(Math.max(minimumFeeBps, Number(weighted))),
    maximumFeeBps: Bps.make(Math.max(minimumFeeBps, dearest.tierBps)),
    shares,
  }
}

/** The cost of a planned boost, in native units, rounded down. */
export const boostFeeOf = (plan: BoostPlan): bigint => shareOf(plan.amount, plan.feeBps)

/** Lends the amount from the pools. Each earns its part of the fee, and the dearest also what rounding left. */
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

/** Returns the loans to the pools, with their earnings, when the deposit has its confirmations. */
export const repay = (loans: ReadonlyArray<Loan>): void => {
  for (const { pool, lent, earned } of loans) {
    pool.lent -= lent
    pool.available += lent + earned
  }
}
