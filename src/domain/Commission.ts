import { Schema } from "effect"
import type { AssetId } from "./Asset.ts"
import type { SwapStatus } from "./Swap.ts"

const millisPerDay = 86_400_000

const form = /^\d{4}-\d{2}-\d{2}$/

/** That a day is in the calendar, which the form alone does not say. */
const isReal = (text: string): boolean => {
  const millis = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(text)
}

/** A day of the calendar in UTC: `2026-07-29`. */
export const UtcDay = Schema.String
  .check(Schema.makeFilter((text) => form.test(text) && isReal(text)))
  .pipe(Schema.brand("UtcDay"))
export type UtcDay = typeof UtcDay.Type

/** How many days there are from one to the other, both included; 0 or less when `to` is before `from`. */
export const daysWithin = (from: UtcDay, to: UtcDay): number =>
  (Date.parse(to) - Date.parse(from)) / millisPerDay + 1

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
