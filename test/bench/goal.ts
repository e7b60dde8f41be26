/** A figure beside its goal. */
export interface Judged {
  readonly value: number
  /** Exactly one of the two. */
  readonly atMost?: number
  readonly atLeast?: number
  readonly reached: boolean
}

export const atMost = (limit: number, value: number): Judged => ({
  value,
  atMost: limit,
  reached: value <= limit,
})

export const atLeast = (limit: number, value: number): Judged => ({
  value,
  atLeast: limit,
  reached: value >= limit,
})

/** Whether all goals were reached, as a cell of a table. */
export const met = (...figures: ReadonlyArray<Judged>): string =>
  figures.every(({ reached }) => reached) ? "yes" : "NO"

/** A figure, its goal, and whether it was reached, as cells of a table. */
export const judgedCells = (
  { atLeast, atMost, reached, value }: Judged,
  digits = 0,
): readonly [string, string, string] => [
  value.toFixed(digits),
  atLeast === undefined ? `<=${atMost}` : `>=${atLeast}`,
  reached ? "yes" : "NO",
]
