import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { AssetSupport } from "../Provider.ts"

export interface Pair {
  readonly source: AssetSupport
  readonly destination: AssetId
}

export const nameOf = ({ destination, source: { asset } }: Pair): string => `${asset} to ${destination}`

export const listedPairs = (assets: ReadonlyArray<AssetSupport>): ReadonlyArray<Pair> =>
  assets.filter(({ ingress }) => ingress).flatMap((source) =>
    assets.filter(({ asset, egress }) => egress && asset !== source.asset)
      .map(({ asset }) => ({ source, destination: asset }))
  )

/** What a pair shows: that its assets and its chains can be swapped from and to, and the one chain to the other. */
const shownBy = ({ destination, source: { asset } }: Pair): ReadonlyArray<string> => [
  `from ${asset}`,
  `to ${destination}`,
  `from ${chainOf(asset)}`,
  `to ${chainOf(destination)}`,
  `${chainOf(asset)} to ${chainOf(destination)}`,
]

/** Pairs that show every asset and chain on each side, best first; `most` cuts the list or adds further pairs. */
export const choosePairs = (pairs: ReadonlyArray<Pair>, most?: number): ReadonlyArray<Pair> => {
  const left = new Set(pairs)
  const shown = new Set<string>()
  const chosen: Array<Pair> = []
  const wanted = Math.min(most ?? pairs.length, pairs.length)
  while (chosen.length < wanted) {
    let best: { readonly pair: Pair; readonly gain: number } | undefined
    for (const pair of left) {
      const gain = shownBy(pair).filter((what) => !shown.has(what)).length
      if (best === undefined || gain > best.gain) best = { pair, gain }
    }
    if (best === undefined || (best.gain === 0 && most === undefined)) break
    left.delete(best.pair)
    shownBy(best.pair).forEach((what) => shown.add(what))
    chosen.push(best.pair)
  }
  return chosen
}

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
