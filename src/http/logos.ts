import { assetIds, factsOf } from "../domain/Asset.ts"
import { Chain, chainFacts } from "../domain/Chain.ts"

/** A colour that is always the same for a name, dark enough for white letters. */
const colourOf = (name: string): string => {
  const sum = [...name].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 360, 7)
  return `hsl(${sum},55%,38%)`
}

/** A disc with letters: no brand's mark, nothing that runs, and all of it from closed sets of names. */
const disc = (colour: string, letters: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="${letters}">` +
  `<circle cx="32" cy="32" r="32" fill="${colour}"/>` +
  `<text x="32" y="33" fill="#fff" font-family="sans-serif" font-weight="700" font-size="${
    letters.length > 4 ? 14 : 18
  }" text-anchor="middle" dominant-baseline="middle">${letters}</text></svg>`

/** Assets of one ticker have one colour, whatever the network. */
const logos: ReadonlyMap<string, string> = new Map([
  ...assetIds.map((id) => {
    const { ticker } = factsOf(id)
    return [`${id}.svg`, disc(colourOf(ticker), ticker)] as const
  }),
  ...Chain.literals.map((chain) => {
    const { suffix } = chainFacts[chain]
    return [`${suffix}.svg`, disc(colourOf(chain), suffix.toUpperCase())] as const
  }),
])

/** The picture of an asset (`btc.btc.svg`) or of a network (`btc.svg`), if there is one of that name. */
export const logoNamed = (name: string): string | undefined => logos.get(name)
