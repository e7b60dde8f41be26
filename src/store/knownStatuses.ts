import { Effect, Schema } from "effect"
import type { SwapStatus } from "../domain/Swap.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
import { makeRecent } from "../platform/recent.ts"
import { StatusJson } from "./columns.ts"

/** A status and its text take some 10 KB. */
const mostKept = 1_000

interface Known {
  readonly text: string
  readonly status: SwapStatus
}

const decodeStatus = Schema.decodeUnknownEffect(Schema.fromJsonString(StatusJson))

/**
 * Reads the statuses of swaps from their text. A swap that is open is asked for more often than it changes: while
 * its text is the same letter for letter, so is the status that it was read as, the very same object.
 */
export const makeKnownStatuses = () => {
  const recent = makeRecent<SwapRecordId, Known>(mostKept)

  return (id: SwapRecordId, text: string): Effect.Effect<SwapStatus, Schema.SchemaError> => {
    const before = recent.find(id)
    return before?.text === text
      ? Effect.succeed(before.status)
      : Effect.tap(decodeStatus(text), (status) => Effect.sync(() => recent.keep(id, { text, status })))
  }
}
