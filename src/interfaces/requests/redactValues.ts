import { findAssetId } from "#domain/chains/Asset.ts"

/** The longest text that is kept, and the length from which on no word of ours is. */
const longestText = 300
const longestWord = 20

/** Where a value was. */
const gap = "…"

/** Text in quotes is somebody else's. */
const quoted = /"[^"]*"|“[^”]*”|`[^`]*`/g

const word = /^[a-zA-Z]+(?:['’-][a-zA-Z]+)*$/
/** A short number, as in "at most 995"; amounts, ids and addresses are longer or mixed with letters. */
const shortNumber = /^\d{1,4}$/
const edges = /^([(]*)(.*?)([.,:;!?)]*)$/s

/** Words this short are in nearly every value, and say nothing of it. */
const shortest = 3

const isOurs = (token: string, given: string): boolean => {
  if (findAssetId(token) !== undefined) return true
  if (shortNumber.test(token)) return !given.includes(token)
  if (!word.test(token) || token.length > longestWord) return false
  return token.length <= shortest || !given.includes(token.toLowerCase())
}

/**
 * A sentence of a problem without values that its request brought, and without anything that can be an address, an
 * amount, an id or a secret: what is left are plain words, short numbers and names of assets.
 */
export const redactValues = (sentence: string, values: ReadonlyArray<string>): string => {
  const given = values.join("\n").toLowerCase()
  return sentence.slice(0, longestText).replace(quoted, gap).split(/\s+/).map((token) => {
    const [, before = "", inner = "", after = ""] = edges.exec(token) ?? []
    return inner === "" || inner === gap || isOurs(inner, given) ? token : `${before}${gap}${after}`
  }).join(" ").replace(/…(?: …)+/g, gap)
}
