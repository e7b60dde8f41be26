import { Effect } from "effect"
import { holdsKey } from "../accounts/ApiKey.ts"
import { type Faults, noFaults, wrong } from "../domain/Faults.ts"
import { Received } from "./Received.ts"

/**
 * What is wrong with a text of the caller's own words that is kept and shown to others: it must not hold an API
 * key, neither the caller's nor another of ours (decision 1).
 */
export const keptTextFaults = (parameter: string, text: string | undefined): Effect.Effect<Faults> =>
  Effect.map(
    Received,
    ({ credentials }) =>
      text !== undefined && holdsKey(text, credentials)
        ? wrong(parameter, "holds an API key, which is written down nowhere: leave it out")
        : noFaults,
  )
