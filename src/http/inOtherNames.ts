import { combineFaults, type Faults } from "../domain/Faults.ts"

/** What parameters of our own endpoints are called by somebody else. */
export type Names = ReadonlyMap<string, string>

/** Names of ours that are no words of English as well. */
const ourName = /\b(?:[a-z]+[A-Z][A-Za-z0-9]*|affiliate[1-4](?:CommissionBps)?)\b/g

/** Faults in these names, also within their sentences; what is not among them keeps its name. */
export const inOtherNames = (names: Names, faults: Faults): Faults => {
  const other = (name: string): string => names.get(name) ?? name
  return combineFaults(
    Object.entries(faults).map(([name, sentences]) => ({
      [other(name)]: sentences.map((sentence) =>
        sentence.startsWith(name)
          ? `${other(name)}${sentence.slice(name.length).replace(ourName, other)}`
          : sentence.replace(ourName, other)
      ),
    })),
  )
}
