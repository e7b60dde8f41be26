import type { Redacted } from "effect"
import { issueAbout, type Issues, noIssues } from "../domain/Issues.ts"
import { holdsKey } from "./ApiKey.ts"

/**
 * What is wrong with a text of the caller's own words that is kept and shown to others: it must not hold an API
 * key, neither one of `keys` nor another of ours (decision 1).
 */
export const heldKeyIssues = (
  parameter: string,
  text: string | undefined,
  keys: ReadonlyArray<Redacted.Redacted<string>>,
): Issues =>
  text !== undefined && holdsKey(text, keys)
    ? issueAbout(parameter, "holds an API key, which is written down nowhere: leave it out")
    : noIssues
