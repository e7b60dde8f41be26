import type { Redacted } from "effect"
import { type Faults, noFaults, wrong } from "../domain/Faults.ts"
import { holdsKey } from "./ApiKey.ts"

/**
 * What is wrong with a text of the caller's own words that is kept and shown to others: it must not hold an API
 * key, neither one of `keys` nor another of ours (decision 1).
 */
export const heldKeyFaults = (
  parameter: string,
  text: string | undefined,
  keys: ReadonlyArray<Redacted.Redacted<string>>,
): Faults =>
  text !== undefined && holdsKey(text, keys)
    ? wrong(parameter, "holds an API key, which is written down nowhere: leave it out")
    : noFaults
