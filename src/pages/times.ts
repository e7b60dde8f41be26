import { type EpochMillis, toIsoDate } from "../domain/Time.ts"
import { type Html, html } from "./html.ts"

const units: ReadonlyArray<readonly [millis: number, name: string]> = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
]

/** A length of time in its two largest units: `2 h 5 min`. */
export const lasting = (millis: number): string => {
  const [index, at] = units.entries().find(([, [unit]]) => millis >= unit) ?? [3, units[3]]
  const [unit, name] = at ?? [1_000, "s"]
  const whole = Math.floor(millis / unit)
  const [smaller, smallerName] = units[index + 1] ?? [1, ""]
  const rest = Math.floor((millis % unit) / smaller)
  return rest > 0 && whole < 10 && smallerName !== ""
    ? `${whole} ${name} ${rest} ${smallerName}`
    : `${whole} ${name}`
}

const relative = (at: number, now: number): string => {
  const distance = Math.abs(now - at)
  if (distance < 1_000) return "now"
  return at <= now ? `${lasting(distance)} ago` : `in ${lasting(distance)}`
}

/** The parts of a time of UTC: `Wed`, `29`, `Jul`, `2026`, `14:04:24`. */
const partsOf = (at: EpochMillis) => {
  const [weekday = "", day = "", month = "", year = "", clock = ""] = new Date(at).toUTCString().split(/,? /)
  return { clock, day: day.replace(/^0/, ""), month, weekday, year }
}

/** `29 Jul 2026, 14:04:24 UTC`. */
export const exactTime = (at: EpochMillis): string => {
  const { clock, day, month, year } = partsOf(at)
  return `${day} ${month} ${year}, ${clock} UTC`
}

/** `Wed 29 Jul, 14:04 UTC`: the time of a whole page. */
export const clockTime = (at: EpochMillis): string => {
  const { clock, day, month, weekday } = partsOf(at)
  return `${weekday} ${day} ${month}, ${clock.slice(0, 5)} UTC`
}

/** `18 Nov`: a day in a longer stretch. */
export const dayLabel = (at: EpochMillis): string => {
  const { day, month } = partsOf(at)
  return `${day} ${month}`
}

/** `Wed 18`: a day of a week or two. */
export const weekdayLabel = (at: EpochMillis): string => {
  const { day, weekday } = partsOf(at)
  return `${weekday} ${day}`
}

/** A time, relative to now and exact beside it, for the page of one thing. */
export const time = (at: EpochMillis, now: EpochMillis): Html =>
  html`<time datetime="${toIsoDate(at)}">${relative(at, now)} <span class="exact">${
    exactTime(at)
  }</span></time>`

/** A time of the day, `14:04:24`, with its day where that is another one, for what happened to one thing. */
export const clock = (at: EpochMillis, now: EpochMillis): Html => {
  const { clock, day, month, year } = partsOf(at)
  const today = partsOf(now)
  const isToday = day === today.day && month === today.month && year === today.year
  return html`<time datetime="${toIsoDate(at)}" title="${exactTime(at)}">${
    isToday ? clock : `${day} ${month}, ${clock.slice(0, 5)}`
  }</time>`
}

/** How long ago or ahead a time is, for a list: `4 min`, `in 2 h`. */
export const age = (at: EpochMillis, now: EpochMillis): Html =>
  html`<time datetime="${toIsoDate(at)}" title="${exactTime(at)}">${
    relative(at, now).replace(/ ago$/, "")
  }</time>`

/** How long ago or ahead a time is, within a sentence: `4 min ago`, `just now`. */
export const ago = (at: EpochMillis, now: EpochMillis): Html => {
  const text = relative(at, now)
  return html`<time datetime="${toIsoDate(at)}" title="${exactTime(at)}">${
    text === "now" ? "just now" : text
  }</time>`
}

/** A time, exact, for what is read at any other time. */
export const moment = (at: EpochMillis): Html =>
  html`<time datetime="${toIsoDate(at)}">${exactTime(at)}</time>`
