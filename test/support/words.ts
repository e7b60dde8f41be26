import { Predicate } from "effect"

/** The names in braces of each word, by its key; a text in lines counts as one, and the fact of a phrase as none. */
export const namesIn = (words: unknown, key = ""): ReadonlyMap<string, ReadonlyArray<string>> => {
  if (typeof words === "string" || Array.isArray(words)) {
    const names = `${words}`.matchAll(/\{(\w+)\}/g).map(([, name = ""]) =>
      `${name.charAt(0).toLowerCase()}${name.slice(1)}`
    )
    return new Map([[key, [...new Set(names)].toSorted()]])
  }
  const members = Object.entries(Predicate.isObject(words) ? words : {}).filter(([name]) => name !== "by")
  return new Map(members.flatMap(([name, member]) => [...namesIn(member, `${key}.${name}`)]))
}
