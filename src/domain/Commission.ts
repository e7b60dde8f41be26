import type { AssetId } from "./Asset.ts"
import type { SwapStatus } from "./Swap.ts"
import type { UtcDay } from "./UtcDay.ts"

/** What was charged for the broker in one asset; native units, which as a sum can be more than any amount. */
export interface Commission {
  readonly asset: AssetId
  readonly amount: bigint
}

/**
 * The commission of a swap, by asset: its broker fees as the upstream reports them, with what affiliates get of
 * them. None before the upstream has charged any.
 */
export const commissionsOf = ({ fees }: SwapStatus): ReadonlyArray<Commission> => {
  const sums = new Map<AssetId, bigint>()
  for (const { type, asset, amount } of fees) {
    if (type === "broker") sums.set(asset, (sums.get(asset) ?? 0n) + amount)
  }
  return [...sums].map(([asset, amount]) => ({ asset, amount }))
}

/** What the swaps of an account that paid out on one day earned in one asset. */
export interface EarnedCommission extends Commission {
  readonly day: UtcDay
  /** How many swaps. */
  readonly swaps: number
}

/** Which commission is asked for; both days are included. */
export interface CommissionQuery {
  readonly from: UtcDay
  readonly to: UtcDay
  /** Every asset when absent. */
  readonly asset?: AssetId
}
