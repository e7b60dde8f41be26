import type { BusinessMeasure, ValuedSwaps } from "#domain/operations/Business.ts"
import { addValues, noValue } from "#domain/money/UsdValue.ts"

const none: ValuedSwaps = { swaps: 0, value: noValue, unvalued: 0 }

const add = (one: ValuedSwaps, other: ValuedSwaps): ValuedSwaps => ({
  swaps: one.swaps + other.swaps,
  value: addValues(one.value, other.value),
  unvalued: one.unvalued + other.unvalued,
})

/** The sum of figures of one measure. */
export const totalOf = (
  figures: ReadonlyArray<ValuedSwaps & { readonly measure: BusinessMeasure }>,
  wanted: BusinessMeasure,
): ValuedSwaps => figures.filter(({ measure }) => measure === wanted).reduce<ValuedSwaps>(add, none)

/** The measures of a period, each summed, and how many swaps ended, in whatever way. */
export const totalsOf = (figures: ReadonlyArray<ValuedSwaps & { readonly measure: BusinessMeasure }>) => {
  const [volume, refunded, failed] = [
    totalOf(figures, "completed"),
    totalOf(figures, "refunded"),
    totalOf(figures, "failed"),
  ]
  return {
    volume,
    refunded,
    failed,
    commission: totalOf(figures, "commission"),
    ended: volume.swaps + refunded.swaps + failed.swaps,
  }
}
