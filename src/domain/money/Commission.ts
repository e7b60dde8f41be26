import { Schema } from "effect"
import type { AssetId } from "../chains/Asset.ts"
import type { Fee } from "./Fee.ts"
import type { SwapStatus } from "../swaps/Swap.ts"
import { dayMillis } from "../Time.ts"

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
  (Date.parse(to) - Date.parse(from)) / dayMillis + 1

/** What became of commission in one asset, in native units; sums can exceed any single amount. */
export interface CommissionFigures {
  /** What the operator receives, with the affiliates' part. */
  readonly amount: bigint
  /** What the provider keeps for itself of what the payer is charged with it. */
  readonly kept: bigint
  /** Whether any part of it is worked out from basis points, as the provider does not tell it. */
  readonly isEstimate: boolean
}

export interface Commission extends CommissionFigures {
  readonly asset: AssetId
}

/** What the payer is charged: what is received and what is kept. */
export const chargedOf = ({ amount, kept }: Pick<CommissionFigures, "amount" | "kept">): bigint =>
  amount + kept

/** No commission yet, to which sums are added. */
const noCommission: CommissionFigures = { amount: 0n, kept: 0n, isEstimate: false }

/** Two figures in the same asset together. */
const plusCommission = (
  one: CommissionFigures | undefined = noCommission,
  other: CommissionFigures,
): CommissionFigures => ({
  amount: one.amount + other.amount,
  kept: one.kept + other.kept,
  isEstimate: one.isEstimate || other.isEstimate,
})

export interface SummedCommission extends CommissionFigures {
  readonly swaps: number
}

export const sumsByAsset = (
  sums: ReadonlyArray<SummedCommission & { readonly asset: AssetId }>,
): ReadonlyMap<AssetId, SummedCommission> => {
  const totals = new Map<AssetId, SummedCommission>()
  for (const { asset, swaps, ...figures } of sums) {
    const before = totals.get(asset)
    totals.set(asset, { ...plusCommission(before, figures), swaps: (before?.swaps ?? 0) + swaps })
  }
  return totals
}

const figuresOf = ({ amount, isEstimate: estimated, type }: Fee): CommissionFigures | undefined => {
  const isEstimate = estimated === true
  if (type === "broker") return { amount, kept: 0n, isEstimate }
  return type === "provider" ? { amount: 0n, kept: amount, isEstimate } : undefined
}

/** The commission of a swap or a quote, by asset (decision 22). Empty before the upstream has charged any. */
export const commissionsOf = ({ fees }: Pick<SwapStatus, "fees">): ReadonlyArray<Commission> => {
  const charged = fees.flatMap((fee) => {
    const figures = figuresOf(fee)
    return figures === undefined ? [] : [{ asset: fee.asset, ...figures, swaps: 1 }]
  })
  return [...sumsByAsset(charged)].map(([asset, { swaps: _, ...figures }]) => ({ asset, ...figures }))
}

/** What was asked for in basis points, of all brokers together. */
export const askedBpsOf = (
  { brokers, depositChannel }: Pick<SwapStatus, "brokers" | "depositChannel">,
): number =>
  (depositChannel?.affiliateBrokers ?? brokers).reduce<number>(
    (sum, { commissionBps }) => sum + commissionBps,
    depositChannel?.brokerCommissionBps ?? 0,
  )

/** The commission in one asset of an account's swaps that paid out on one day. */
export interface EarnedCommission extends Commission {
  readonly day: UtcDay
  readonly swaps: number
}

/** The period and asset that commission is asked for; both days are included. */
export interface CommissionQuery {
  readonly from: UtcDay
  readonly to: UtcDay
  /** Absent: every asset. */
  readonly asset?: AssetId
}
