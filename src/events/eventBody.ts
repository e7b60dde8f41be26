import { recordJson } from "../api/present/recordJson.ts"
import type { SwapEvent } from "../domain/SwapEvent.ts"
import type { SwapRecord } from "../domain/SwapRecord.ts"
import { type EpochMillis, toIsoDate } from "../domain/Time.ts"

const write = (type: string, at: EpochMillis, record: string): string =>
  `{"type":"${type}","timestamp":"${toIsoDate(at)}","data":${record}}`

/**
 * An event as it is told, to the last character the same each time: its type, when it happened, and the swap as
 * `/status-by-id` answered it then (api.md 2.5).
 */
export const eventBody = ({ at, payload, type }: SwapEvent): string => write(type, at, payload)

/** A swap as it is now, in the form of an event of that type. */
export const statusBody = (type: string, record: SwapRecord, at: EpochMillis): string =>
  write(type, at, recordJson(record))
