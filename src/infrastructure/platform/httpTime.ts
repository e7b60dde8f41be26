import { Option } from "effect"
import { EpochMillis } from "#domain/Time.ts"

/** The three forms of RFC 9110 5.6.7, and ISO 8601 in UTC, which some services write instead; each with its day. */
const dateForms = [
  /^[A-Z][a-z]{2}, ([0-9]{2}) [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$/,
  /^[A-Z][a-z]{5,8}, ([0-9]{2})-[A-Z][a-z]{2}-[0-9]{2} [0-9:]{8} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} ([ 0-9][0-9]) [0-9:]{8} [0-9]{4}$/,
  /^[0-9]{4}-[0-9]{2}-([0-9]{2})(?:T[0-9:]{8}(?:\.[0-9]{1,9})?Z)?$/,
]

/** Milliseconds since the epoch of an HTTP date. What only resembles one, such as a 31st of February, is none. */
export const parseHttpDate = (header: string | undefined): Option.Option<EpochMillis> => {
  const text = header?.trim() ?? ""
  for (const form of dateForms) {
    const [, day] = form.exec(text) ?? []
    if (day === undefined) continue
    const time = Date.parse(/[0-9]{4}$/.test(text) ? `${text} GMT` : text)
    return new Date(time).getUTCDate() === Number(day) ? EpochMillis.makeOption(time) : Option.none()
  }
  return Option.none()
}

/** The seconds that a `Retry-After` asks for: a number, or the time until an HTTP date. */
export const parseRetryAfter = (header: string | undefined, now: number): Option.Option<number> => {
  if (header !== undefined && /^[0-9]{1,9}$/.test(header.trim())) return Option.some(Number(header))
  return Option.map(parseHttpDate(header), (time) => Math.max(0, Math.ceil((time - now) / 1000)))
}
