import { Effect } from "effect"
import { heldKeyFaults } from "../accounts/heldKey.ts"
import type { Faults } from "../domain/Faults.ts"
import { Received } from "./Received.ts"

/** What is wrong with a text that is kept, the caller's own key in it included. */
export const keptTextFaults = (parameter: string, text: string | undefined): Effect.Effect<Faults> =>
  Effect.map(Received, ({ credentials }) => heldKeyFaults(parameter, text, credentials))
