import { recordJson, type RecordSetting } from "#api/presentSwap.ts"
import { withShownFees } from "#api/shape.ts"
import type { SwapEvent } from "#domain/swaps/SwapEvent.ts"
import type { SwapRecord } from "#domain/swaps/SwapRecord.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"

/** The body of an event for streams and webhooks; the numbers of `data` (JSON) stay as written. */
export const bodyOf = (type: string, at: EpochMillis, data: string): string =>
  `{"type":"${type}","timestamp":"${toIsoDate(at)}","data":${withShownFees(data)}}`

/** An event as it is sent, always the same characters: the swap as `/status-by-id` showed it then. */
export const eventBody = ({ at, payload, type }: SwapEvent): string => bodyOf(type, at, payload)

/** The present status of a swap, in the form of an event of that type. */
export const statusBody = (type: string, record: SwapRecord, at: EpochMillis, on: RecordSetting): string =>
  bodyOf(type, at, recordJson(record, on))
