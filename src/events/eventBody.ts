import { recordJson } from "../api/presentSwap.ts"
import type { SwapEvent } from "../domain/SwapEvent.ts"
import type { SwapRecord } from "../domain/SwapRecord.ts"
import { type EpochMillis, toIsoDate } from "../domain/Time.ts"

/** The body of an event, in streams and in webhooks alike; `data` is JSON text, whose numbers stay as written. */
export const bodyOf = (type: string, at: EpochMillis, data: string): string =>
  `{"type":"${type}","timestamp":"${toIsoDate(at)}","data":${data}}`

/**
 * An event as it is told, to the last character the same each time: its type, when it happened, and the swap as
 * `/status-by-id` answered it then.
 */
export const eventBody = ({ at, payload, type }: SwapEvent): string => bodyOf(type, at, payload)

/** A swap as it is now, in the form of an event of that type. */
export const statusBody = (type: string, record: SwapRecord, at: EpochMillis): string =>
  bodyOf(type, at, recordJson(record))
