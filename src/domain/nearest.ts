const stepsAt = (steps: ReadonlyArray<number>, column: number): number => steps[column] ?? Infinity

/** Whether `most` insertions, deletions, replacements or swaps of neighbours lead from one text to the other. */
export const distanceWithin = (one: string, other: string, most: number): boolean => {
  if (Math.abs(one.length - other.length) > most) return false
  let before: ReadonlyArray<number> = []
  let above: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1]
      current.push(Math.min(
        stepsAt(above, column) + 1,
        stepsAt(current, column - 1) + 1,
        stepsAt(above, column - 1) + (isSame ? 0 : 1),
        isSwapped ? stepsAt(before, column - 2) + 1 : Infinity,
      ))
    }
    // Each later step follows from the last two rows. Most names are not near, and many can come in one request.
    if (Math.min(...above, ...current) > most) return false
    before = above
    above = current
  }
  return stepsAt(above, other.length) <= most
}

/** A name without case and separators: `refund_address` and `Refund-Address` become the same. */
export const folded = (name: string): string => name.toLowerCase().replace(/[_\-.\s[\]]/g, "")

/** The shortest beginning of a name that stands for the whole name: `expires` for `expiresAt`. */
const shortestBeginning = 4

const begins = (one: string, other: string): boolean =>
  one.length >= shortestBeginning && other.startsWith(one)

/** The text among `known` that a person most likely meant by `given`; none where all differ by much. */
export const nearest = (given: string, known: ReadonlyArray<string>): string | undefined => {
  const name = folded(given)
  const within = (most: number) =>
    known.find((ours) => distanceWithin(name, folded(ours), Math.min(most, ours.length <= 4 ? 1 : 2)))
  return within(0) ?? within(1) ??
    known.find((ours) => begins(name, folded(ours)) || begins(folded(ours), name)) ?? within(2)
}
