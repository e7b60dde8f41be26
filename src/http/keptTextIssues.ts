import { Effect } from "effect"
import { heldKeyIssues } from "../accounts/ApiKey.ts"
import type { Issues } from "../domain/Issues.ts"
import { Received } from "./server/Received.ts"

/** What is wrong with a text that is kept, the caller's own key in it included. */
export const keptTextIssues = (parameter: string, text: string | undefined): Effect.Effect<Issues> =>
  Effect.map(Received, ({ credentials }) => heldKeyIssues(parameter, text, credentials))
