import { choosePairs, nameOf, type Pair } from "./pairs.ts"

export interface Turn {
  readonly pairs: ReadonlyArray<Pair>
  /** The next turn, once so many of the pairs were asked. */
  readonly after: (asked: number) => number
}

/** At most `most` pairs: those with differences, half of the rest by variety, and the others in turn. */
export const turnOf = (
  listed: ReadonlyArray<Pair>,
  { most, named, turn }: {
    readonly most: number
    readonly named: ReadonlySet<string>
    readonly turn: number
  },
): Turn => {
  const always = new Set(listed.filter((pair) => named.has(nameOf(pair))).slice(0, Math.ceil(most / 4)))
  for (const pair of choosePairs(listed, Math.ceil(most / 2))) {
    if (always.size < most) always.add(pair)
  }
  const inTurn = listed.map((_, step) => (turn + step) % listed.length).flatMap((index) => {
    const pair = listed[index]
    return pair === undefined || always.has(pair) ? [] : [{ index, pair }]
  }).slice(0, Math.max(0, most - always.size))
  return {
    pairs: [...always, ...inTurn.map(({ pair }) => pair)],
    after: (asked) => {
      const last = inTurn[Math.min(asked - always.size, inTurn.length) - 1]
      return last === undefined ? turn : (last.index + 1) % listed.length
    },
  }
}
