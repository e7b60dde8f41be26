import { Schema } from "effect"

export const dayMillis = 86_400_000

/** The last millisecond of the year 9999, the last year that ISO 8601 writes with four digits. */
const yearEnd = 253_402_300_799_999

/** Whole milliseconds since the Unix epoch; every value has a date. */
export const EpochMillis = Schema.Int
  .check(Schema.isBetween({ minimum: 0, maximum: yearEnd }))
  .pipe(Schema.brand("EpochMillis"))
export type EpochMillis = typeof EpochMillis.Type

/** The first and last instants, for ranges with open ends. */
export const firstMillis = EpochMillis.make(0)
export const lastMillis = EpochMillis.make(yearEnd)

export const hourMillis = 3_600_000

/** The beginning of the hour of a time, in UTC. */
export const hourOf = (at: EpochMillis): EpochMillis => EpochMillis.make(at - at % hourMillis)

/** ISO 8601 with offset, a fraction only if not zero: `2026-07-29T14:04:24+00:00` (decision 20). */
export const toIsoDate = (millis: EpochMillis): string => {
  const iso = new Date(millis).toISOString()
  if (millis % 1_000 === 0) return `${iso.slice(0, 19)}+00:00`
  const fraction = iso.slice(19, -1).replace(/\.?0+$/, "")
  return `${iso.slice(0, 19)}${fraction}+00:00`
}

/** The place of an event on the state chain: `<block_number>-<index>` (decision 32). */
export const BlockIndex = Schema.String
  .check(Schema.isPattern(/^[0-9]+-[0-9]+$/))
  .pipe(Schema.brand("BlockIndex"))
export type BlockIndex = typeof BlockIndex.Type

/** The longest estimate of a swap: the most chunks with the widest gaps on the slowest chain take some days. */
export const longestSwapMillis = 30 * dayMillis
