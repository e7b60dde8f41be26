/** The value below which this share (0 to 1) of the values lies. */
export const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (value === undefined) throw new Error("Nothing was measured")
  return value
}

export const median = (values: ReadonlyArray<number>): number => percentile(values, 0.5)

/** Least, middle and largest of several runs. */
export interface Spread {
  readonly min: number
  readonly median: number
  readonly max: number
}

export const spreadOf = (values: ReadonlyArray<number>): Spread => ({
  min: Math.min(...values),
  median: median(values),
  max: Math.max(...values),
})
