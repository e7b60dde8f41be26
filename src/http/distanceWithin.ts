/**
 * Whether a text becomes the other by at most so many steps, of which each adds, drops or replaces a character, or
 * swaps two neighbours (the optimal string alignment distance).
 */
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
    before = above
    above = current
  }
  return stepsAt(above, other.length) <= most
}

const stepsAt = (steps: ReadonlyArray<number>, column: number): number => steps[column] ?? Infinity
