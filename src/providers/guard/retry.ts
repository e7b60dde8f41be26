import { Duration, Effect, Random } from "effect"
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
 * deadline: a caller who gave up would hide the failure from the circuit. Only for calls that change nothing. `failed` is
 * called where an attempt has failed after which there may be another.
 */
export const withRetries = <A, R>(
  attempt: Effect.Effect<A, ProviderError, R>,
  { retries, attemptTimeout, deadline }: GroupOptions,
  { failed, now }: { readonly failed: () => void; readonly now: () => number },
): Effect.Effect<A, ProviderError, R> => {
  const started = now()
  const another = (error: ProviderError, left: number): Effect.Effect<A, ProviderError, R> =>
    Effect.flatMap(pauseBefore(error), (pause) => {
      const end = now() - started + Duration.toMillis(pause) + Duration.toMillis(attemptTimeout)
      return end > Duration.toMillis(deadline) ? Effect.fail(error) : Effect.delay(from(left), pause)
    })
  const from = (left: number): Effect.Effect<A, ProviderError, R> =>
    left === 0 ? attempt : Effect.catch(attempt, (error) => {
      failed()
      return isPassing(error) ? another(error, left - 1) : Effect.fail(error)
    })
  return from(retries)
}
