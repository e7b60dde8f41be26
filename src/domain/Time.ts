import { Schema } from "effect"

/** The last millisecond of the year 9999, the last one that ISO 8601 writes with four digits. */
const yearEnd = 253_402_300_799_999

/** Milliseconds since the Unix epoch, whole; every one of them has a date. */
export const EpochMillis = Schema.Int
  .check(Schema.isBetween({ minimum: 0, maximum: yearEnd }))
  .pipe(Schema.brand("EpochMillis"))
export type EpochMillis = typeof EpochMillis.Type

/** The ends of all time, for ranges that are open. */
export const firstMillis = EpochMillis.make(0)
export const lastMillis = EpochMillis.make(yearEnd)

/**
 * ISO 8601 with offset, with a fraction only when it is not zero: `2026-07-29T14:04:24+00:00`
 * (decision 20).
 */
export const toIsoDate = (millis: EpochMillis): string => {
  const iso = new Date(millis).toISOString()
  if (millis % 1_000 === 0) return `${iso.slice(0, 19)}+00:00`
  const fraction = iso.slice(19, -1).replace(/\.?0+$/, "")
  return `${iso.slice(0, 19)}${fraction}+00:00`
}

/** Where something happened on the state chain: `<block_number>-<index>` (decision 32). */
export const BlockIndex = Schema.String
  .check(Schema.isPattern(/^[0-9]+-[0-9]+$/))
  .pipe(Schema.brand("BlockIndex"))
export type BlockIndex = typeof BlockIndex.Type

/** No swap is estimated to take longer: the most chunks with the widest gaps on the slowest chain take some days. */
export const longestSwapMillis = 30 * 86_400_000
