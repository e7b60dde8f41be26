import { Clock, Duration, Effect, Random } from "effect"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { GroupOptions } from "./guardOptions.ts"

const shortestPause = 50
const longestPause = 1_000

/** Whether the same call may succeed in a moment: the connection was cut, or a proxy had no server behind it. */
const isPassing = ({ reason }: ProviderError): boolean => reason._tag === "Unreachable"

/** The pause before another attempt, with full jitter to spread callers; a wait that the upstream asks for wins. */
const pauseBefore = ({ reason }: ProviderError): Effect.Effect<Duration.Duration> =>
  reason._tag === "Unreachable" && reason.retryAfterSeconds !== undefined
    ? Effect.succeed(Duration.seconds(reason.retryAfterSeconds))
    : Effect.map(Random.nextIntBetween(shortestPause, longestPause), Duration.millis)

/**
 * Retries a call after a passing fault, at most `retries` times, and only if another attempt can end before the
 * deadline: a caller who gave up would hide the failure from the circuit. Only for calls that change nothing.
 */
export const withRetries = <A, R>(
  attempt: Effect.Effect<A, ProviderError, R>,
  { retries, attemptTimeout, deadline }: GroupOptions,
): Effect.Effect<A, ProviderError, R> => {
  const from = (started: number, left: number): Effect.Effect<A, ProviderError, R> =>
    left === 0 ? attempt : Effect.catch(attempt, (error) =>
      isPassing(error)
        ? Effect.flatMap(
          Effect.all([pauseBefore(error), Clock.currentTimeMillis]),
          ([pause, now]) => {
            const end = now - started + Duration.toMillis(pause) + Duration.toMillis(attemptTimeout)
            return end > Duration.toMillis(deadline)
              ? Effect.fail(error)
              : Effect.delay(from(started, left - 1), pause)
          },
        )
        : Effect.fail(error))
  return retries === 0 ? attempt : Effect.flatMap(Clock.currentTimeMillis, (now) => from(now, retries))
}
