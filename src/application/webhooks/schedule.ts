import { Duration } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import type { Posted } from "./Poster.ts"

/** The waits of all attempts but the first, each after the attempt before (Standard Webhooks 1.0). */
export const delays = [
  Duration.seconds(5),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(14),
  Duration.hours(20),
  Duration.hours(24),
]

/** The most that is added to a delay at random, so that what failed together is not retried together. */
const jitterShare = 0.1

/** The wait after this many failures; undefined after the tenth, about three days. `random`: 0 to 1. */
export const delayAfter = (failedAttempts: number, random: number): Duration.Duration | undefined => {
  const delay = delays[failedAttempts - 1]
  return delay === undefined ? undefined : Duration.times(delay, 1 + jitterShare * random)
}

/** The longest wait that a receiver may ask for by `Retry-After`. */
const longestAsked = Duration.hours(24)

/** The next attempt, from the last one's end or the receiver's Retry-After; undefined when given up. */
export const nextAttemptAt = (
  { at, durationMillis, retryAfterSeconds = 0 }: Posted,
  failedAttempts: number,
  random: number,
): EpochMillis | undefined => {
  const delay = delayAfter(failedAttempts, random)
  if (delay === undefined) return undefined
  const asked = Duration.min(Duration.seconds(retryAfterSeconds), longestAsked)
  return EpochMillis.make(Math.ceil(at + durationMillis + Duration.toMillis(Duration.max(delay, asked))))
}

/** An endpoint that has failed for this long when a delivery is given up is disabled. */
export const failingLong = Duration.days(3)
