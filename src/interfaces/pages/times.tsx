import { durationText, relativeTime } from "#domain/durationText.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { type Html } from "./jsx-runtime.ts"

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
  <time datetime={toIsoDate(at)}>
    {relativeTime(at, now)} <span class="exact">{exactTime(at)}</span>
  </time>

/** A time of the day, `14:04:24`, with its day where that is another one, for what happened to one thing. */
export const clock = (at: EpochMillis, now: EpochMillis): Html => {
  const { clock, day, month, year } = partsOf(at)
  const today = partsOf(now)
  const isToday = day === today.day && month === today.month && year === today.year
  return (
    <time datetime={toIsoDate(at)} title={exactTime(at)}>
      {isToday ? clock : `${day} ${month}, ${clock.slice(0, 5)}`}
    </time>
  )
}

/** How long ago or ahead a time is, for a list: `4 min ago`, `in 2 h`, `now`. */
export const age = (at: EpochMillis, now: EpochMillis): Html =>
  <time datetime={toIsoDate(at)} title={exactTime(at)}>
    {relativeTime(at, now).replace(/ min \d{1,2} s\b/, " min")}
  </time>

/** How long something has been going on, after "for": `13 s`. */
export const lasting = (since: EpochMillis, now: EpochMillis): Html =>
  <time datetime={toIsoDate(since)} title={exactTime(since)}>{durationText(Math.max(0, now - since))}</time>

/** How long ago or ahead a time is, within a sentence: `4 min ago`, `just now`. */
export const ago = (at: EpochMillis, now: EpochMillis): Html => {
  const text = relativeTime(at, now)
  return <time datetime={toIsoDate(at)} title={exactTime(at)}>{text === "now" ? "just now" : text}</time>
}

/** A time to the minute, for a list: `29 Jul 2026, 14:04`. Its label says that it is UTC. */
export const minute = (at: EpochMillis): Html =>
  <time datetime={toIsoDate(at)} title={exactTime(at)}>{exactTime(at).replace(/:\d\d UTC$/, "")}</time>

/** A time, exact, for what is read at any other time. */
export const moment = (at: EpochMillis): Html => <time datetime={toIsoDate(at)}>{exactTime(at)}</time>
