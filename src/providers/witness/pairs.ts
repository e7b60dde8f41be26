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
