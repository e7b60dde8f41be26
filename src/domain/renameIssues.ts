import { combineIssues, type Issues } from "./Issues.ts"

/** The names that another interface has for parameters of our endpoints, by our names. */
export type Names = ReadonlyMap<string, string>

/** Our parameter names that are no English words, and so are found safely within sentences. */
const ourName = /\b(?:[a-z]+[A-Z][A-Za-z0-9]*|affiliate[1-4](?:CommissionBps)?)\b/g

/** Issues with parameters renamed, also within sentences. A name that is not in `names` stays. */
export const renameIssues = (names: Names, issues: Issues): Issues => {
  const other = (name: string): string => names.get(name) ?? name
  return combineIssues(
    Object.entries(issues).map(([name, sentences]) => ({
      [other(name)]: sentences.map((sentence) =>
        sentence.startsWith(name)
          ? `${other(name)}${sentence.slice(name.length).replace(ourName, other)}`
          : sentence.replace(ourName, other)
      ),
    })),
  )
}
