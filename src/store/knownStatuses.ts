import { Effect, Schema } from "effect"
import type { SwapStatus } from "../domain/Swap.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
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
  // Those that were asked for least lately first, as each is put at the end.
  const known = new Map<SwapRecordId, Known>()

  const put = (id: SwapRecordId, one: Known): SwapStatus => {
    known.delete(id)
    known.set(id, one)
    const [oldest] = known.size > mostKept ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return one.status
  }

  return (id: SwapRecordId, text: string): Effect.Effect<SwapStatus, Schema.SchemaError> => {
    const before = known.get(id)
    return before?.text === text
      ? Effect.succeed(put(id, before))
      : Effect.map(decodeStatus(text), (status) => put(id, { text, status }))
  }
}
