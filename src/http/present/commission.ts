import { BigDecimal } from "effect"
import type { CommissionBody } from "../../api/History.ts"
import { type AssetId, factsOf } from "../../domain/Asset.ts"
import type { CommissionQuery, EarnedCommission } from "../../domain/Commission.ts"

interface Sum {
  readonly amount: bigint
  readonly swaps: number
}

const presentSum = (asset: AssetId, { amount, swaps }: Sum) => ({
  asset,
  amount: BigDecimal.make(amount, factsOf(asset).decimals),
  amountNative: amount,
  swaps,
})

const totalsOf = (earned: ReadonlyArray<EarnedCommission>): ReadonlyMap<AssetId, Sum> => {
  const totals = new Map<AssetId, Sum>()
  for (const { asset, amount, swaps } of earned) {
    const { amount: before, swaps: others } = totals.get(asset) ?? { amount: 0n, swaps: 0 }
    totals.set(asset, { amount: before + amount, swaps: others + swaps })
  }
  return totals
}

/** Earned commission as the API shows it: exact, in both forms of each amount. */
export const presentCommission = (
  { from, to }: CommissionQuery,
  earned: ReadonlyArray<EarnedCommission>,
): CommissionBody => ({
  from,
  to,
  totals: [...totalsOf(earned)].toSorted(([one], [other]) => one < other ? -1 : 1)
    .map(([asset, sum]) => presentSum(asset, sum)),
  days: earned.map(({ day, asset, ...sum }) => ({ day, ...presentSum(asset, sum) })),
})
