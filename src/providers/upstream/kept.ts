import { Duration, Effect, Option, Ref } from "effect"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import { currentMillis } from "../../platform/currentMillis.ts"
import { withLookupTimeout } from "./failures.ts"

/** What an upstream said, kept for a while. */
export interface Kept<A> {
  /** What it said last; asked for where nothing is known yet, once for all who wait. */
  readonly latest: Effect.Effect<A, ProviderErrorReason>
  /** Whether it said so no longer ago than this. */
  readonly isYoungerThan: (age: Duration.Duration) => Effect.Effect<boolean>
  /** Asks now and again for ever. A failure is logged and tried again; the last answer stays. */
  readonly keepFresh: Effect.Effect<never>
}

/** What is kept, and how. */
export interface Keeping<A> {
  /** What our messages call the part of the upstream that is asked. */
  readonly endpoint: string
  /** What our messages call the answers: "tokens". */
  readonly what: string
  readonly ask: Effect.Effect<A, ProviderErrorReason>
  /** The time from one answer to the next question, at least 1 second. */
  readonly maxAge: Duration.Input
  /** Longest that asking may take. */
  readonly lookupTimeout: Duration.Input | undefined
}

/** The pause after a failure. */
const retryPause = Duration.seconds(10)
const leastMaxAge = Duration.seconds(1)

/** Something of which nothing is known yet. */
export const makeKept = Effect.fnUntraced(function* <A>(
  { ask, endpoint, lookupTimeout, maxAge, what }: Keeping<A>,
): Effect.fn.Return<Kept<A>> {
  const found = yield* Ref.make(Option.none<{ readonly answer: A; readonly at: number }>())
  const load = ask.pipe(
    withLookupTimeout(endpoint, lookupTimeout),
    Effect.tap((answer) =>
      Effect.flatMap(currentMillis, (at) => Ref.set(found, Option.some({ answer, at })))
    ),
  )
  // Kept for no time: callers only share a look-up that is under way.
  const shared = yield* Effect.cachedWithTTL(load, Duration.zero)
  const pause = Duration.max(Duration.fromInputUnsafe(maxAge), leastMaxAge)
  return {
    latest: Effect.flatMap(
      Ref.get(found),
      Option.match({ onNone: () => shared, onSome: ({ answer }) => Effect.succeed(answer) }),
    ),
    isYoungerThan: (age) =>
      Effect.zipWith(
        Ref.get(found),
        currentMillis,
        (found, now) => Option.exists(found, ({ at }) => now - at <= Duration.toMillis(age)),
      ),
    keepFresh: shared.pipe(
      Effect.as(pause),
      Effect.catch((reason) =>
        Effect.as(
          Effect.logWarning(`The ${what} of the ${endpoint} could not be fetched; trying again`, reason),
          Duration.min(pause, retryPause),
        )
      ),
      Effect.flatMap(Effect.sleep),
      Effect.forever,
    ),
  }
})
