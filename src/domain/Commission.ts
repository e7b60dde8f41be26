import { Schema } from "effect"
import type { AssetId } from "./Asset.ts"
import type { SwapStatus } from "./Swap.ts"

const millisPerDay = 86_400_000

const form = /^\d{4}-\d{2}-\d{2}$/

/** Whether the day is in the calendar, which the pattern alone does not tell. */
const isReal = (text: string): boolean => {
  const millis = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(text)
}

/** A day of the calendar in UTC: `2026-07-29`. */
export const UtcDay = Schema.String
  .check(Schema.makeFilter((text) => form.test(text) && isReal(text)))
  .pipe(Schema.brand("UtcDay"))
export type UtcDay = typeof UtcDay.Type

/** The number of days from one to the other, both included; 0 or less when `to` is before `from`. */
export const daysWithin = (from: UtcDay, to: UtcDay): number =>
  (Date.parse(to) - Date.parse(from)) / millisPerDay + 1

/** The broker's charge in one asset, in native units; as a sum it can exceed any single amount. */
export interface Commission {
  readonly asset: AssetId
  readonly amount: bigint
}

/**
 * The commission of a swap, by asset: its broker fees as the upstream reports them, with the affiliates' part. Empty
 * before the upstream has charged any.
 */
export const commissionsOf = ({ fees }: SwapStatus): ReadonlyArray<Commission> => {
  const sums = new Map<AssetId, bigint>()
  for (const { type, asset, amount } of fees) {
    if (type === "broker") sums.set(asset, (sums.get(asset) ?? 0n) + amount)
  }
  return [...sums].map(([asset, amount]) => ({ asset, amount }))
}

/** The commission in one asset of an account's swaps that paid out on one day. */
export interface EarnedCommission extends Commission {
  readonly day: UtcDay
  /** The number of swaps. */
  readonly swaps: number
}

/** The period and asset that commission is asked for; both days are included. */
export interface CommissionQuery {
  readonly from: UtcDay
  readonly to: UtcDay
  /** Absent: every asset. */
  readonly asset?: AssetId
}
