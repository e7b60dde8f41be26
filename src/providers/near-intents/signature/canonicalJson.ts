import { Predicate } from "effect"

const member = ([key, value]: readonly [string, unknown]): string =>
  `${JSON.stringify(key)}:${canonicalJson(value)}`

/**
 * Parsed JSON as the one text that is signed: no spaces, and the keys of every object in the order of their
 * code units. Members that are undefined are left out; null stays.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!Predicate.isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, held]) => held !== undefined)
    .toSorted(([one], [other]) => one < other ? -1 : 1)
  return `{${members.map(member).join(",")}}`
}
