import { Schema } from "effect"

const millisPerDay = 86_400_000

const form = /^\d{4}-\d{2}-\d{2}$/

/** That a day is in the calendar, which the form alone does not say. */
const isReal = (text: string): boolean => {
  const millis = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(text)
}

/** A day of the calendar in UTC: `2026-07-29`. */
export const UtcDay = Schema.String
  .check(Schema.makeFilter((text) => form.test(text) && isReal(text)))
  .pipe(Schema.brand("UtcDay"))
export type UtcDay = typeof UtcDay.Type

/** How many days there are from one to the other, both included; 0 or less when `to` is before `from`. */
export const daysWithin = (from: UtcDay, to: UtcDay): number =>
  (Date.parse(to) - Date.parse(from)) / millisPerDay + 1
