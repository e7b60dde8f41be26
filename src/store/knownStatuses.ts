import { Effect, Schema } from "effect"
import type { SwapStatus } from "../domain/Swap.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
import { makeRecent } from "../platform/recent.ts"
import { StatusJson } from "./columns.ts"

/** A status takes some 5 KB. */
const mostKept = 1_000

/** A status as it was read from one version of a swap's row. */
export interface KnownStatus {
  readonly version: string
  readonly status: SwapStatus
}

const decodeStatus = Schema.decodeUnknownEffect(Schema.fromJsonString(StatusJson))

/**
 * Remembers the statuses of swaps that were read. A swap that is open is asked for more often than it changes:
 * while its row is the same, so is the status, the very same object.
 */
export const makeKnownStatuses = () => {
  const recent = makeRecent<SwapRecordId, KnownStatus>(mostKept)

  const read = (id: SwapRecordId, version: string, text: string) =>
    decodeStatus(text).pipe(Effect.tap((status) => Effect.sync(() => recent.keep(id, { version, status }))))

  return { find: recent.find, read }
}
