import { Option } from "effect"
import { EpochMillis } from "#domain/Time.ts"

/** Milliseconds since the epoch of an HTTP date. */
export const parseHttpDate = (header: string | undefined): Option.Option<EpochMillis> =>
  header === undefined ? Option.none() : EpochMillis.makeOption(Date.parse(header))

/** The seconds that a `Retry-After` asks for: a number, or the time until an HTTP date. */
export const parseRetryAfter = (header: string | undefined, now: number): Option.Option<number> => {
  if (header !== undefined && /^[0-9]{1,9}$/.test(header.trim())) return Option.some(Number(header))
  return Option.map(parseHttpDate(header), (time) => Math.max(0, Math.ceil((time - now) / 1000)))
}
