import { Option, Schema } from "effect"
import { UtcDay } from "./money/Commission.ts"
import { dayMillis, EpochMillis, firstMillis, lastMillis } from "./Time.ts"

const form = /^(?<day>\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

const isReal = (text: string): boolean =>
  Option.isSome(UtcDay.makeOption(form.exec(text)?.groups?.["day"] ?? "")) && !Number.isNaN(Date.parse(text))

/** A day of the calendar in UTC, or a moment of ISO 8601 with its offset: `2026-07-29`, `2026-07-29T14:04:24Z`. */
export const DayOrMoment = Schema.String.check(Schema.makeFilter(isReal)).pipe(Schema.brand("DayOrMoment"))
export type DayOrMoment = typeof DayOrMoment.Type

const within = (millis: number): EpochMillis =>
  EpochMillis.make(Math.min(Math.max(millis, firstMillis), lastMillis))

/** The time of the first swap that fits, and that of the first one after all that fit. */
export interface CreatedRange {
  readonly createdFrom?: EpochMillis
  readonly createdBefore?: EpochMillis
}

/** The range from one to the other, both included; undefined where the first is after the last. */
export const createdRange = (from?: DayOrMoment, to?: DayOrMoment): CreatedRange | undefined => {
  const begin = from === undefined ? from : Date.parse(from)
  const end = to === undefined ? to : Date.parse(to) + (to.includes("T") ? 1 : dayMillis)
  if (begin !== undefined && end !== undefined && begin >= end) return undefined
  return {
    ...(begin === undefined ? {} : { createdFrom: within(begin) }),
    ...(end === undefined ? {} : { createdBefore: within(end) }),
  }
}
