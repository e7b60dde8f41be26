import { combineIssues, type Issues } from "../domain/Issues.ts"

/** What parameters of our own endpoints are called by somebody else. */
export type Names = ReadonlyMap<string, string>

/** Names of ours that are no words of English as well. */
const ourName = /\b(?:[a-z]+[A-Z][A-Za-z0-9]*|affiliate[1-4](?:CommissionBps)?)\b/g

/** Issues in these names, also within their sentences; what is not among them keeps its name. */
export const inOtherNames = (names: Names, issues: Issues): Issues => {
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
