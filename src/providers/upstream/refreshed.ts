import { Duration, Effect, Option, Ref } from "effect"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { withLookupTimeout } from "./failures.ts"
import { reportedByCaller, upToDate, warnStale } from "./transport.ts"
import { unlessAnew } from "./witness.ts"

export interface Refreshed<A> {
  /** The latest answer; if there is none yet, one call for all waiting callers. */
  readonly latest: Effect.Effect<A, ProviderErrorReason>
  /** Whether there is an answer, no older than this. */
  readonly isYoungerThan: (age: Duration.Duration) => Effect.Effect<boolean>
  /** When the latest answer came; none before the first. */
  readonly answeredAt: Effect.Effect<Option.Option<EpochMillis>>
  /** Asks at once, and again after each `maxAge`. A failure is logged and retried; the last answer stays. */
  readonly keepFresh: Effect.Effect<never>
}

export interface Keeping<A> {
  readonly endpoint: string
  /** The name of the answer in our messages, such as "The tokens of the service". */
  readonly what: string
  readonly ask: Effect.Effect<A, ProviderErrorReason>
  /** The time from one answer to the next question, at least 1 second. */
  readonly maxAge: Duration.Input
  readonly lookupTimeout: Duration.Input | undefined
  /** The age from which an answer counts for nothing; none where that is absent. */
  readonly longest?: Duration.Input
}

const retryPause = Duration.seconds(10)
const leastMaxAge = Duration.seconds(1)

export const makeRefreshed = Effect.fnUntraced(function* <A>(
  { ask, endpoint, longest = Duration.infinity, lookupTimeout, maxAge, what }: Keeping<A>,
): Effect.fn.Return<Refreshed<A>> {
  const found = yield* Ref.make(Option.none<{ readonly answer: A; readonly at: EpochMillis }>())
  const load = ask.pipe(
    withLookupTimeout(endpoint, lookupTimeout),
    reportedByCaller,
    Effect.tap((answer) =>
      Effect.flatMap(currentMillis, (at) => Ref.set(found, Option.some({ answer, at })))
    ),
  )
  // Zero, so that callers share only a look-up that is under way.
  const shared = yield* Effect.cachedWithTTL(load, Duration.zero)
  let failuresInARow = 0
  const pause = Duration.max(Duration.fromInputUnsafe(maxAge), leastMaxAge)
  /** The last answer, where its age in milliseconds will do. */
  const aged = (willDo: (age: number) => boolean) =>
    Effect.zipWith(
      Ref.get(found),
      currentMillis,
      (found, now) => Option.filter(found, ({ at }) => willDo(now - at)),
    )
  return {
    latest: unlessAnew(
      Effect.flatMap(
        aged((age) => age < Duration.toMillis(longest)),
        Option.match({ onNone: () => shared, onSome: ({ answer }) => Effect.succeed(answer) }),
      ),
      load,
    ),
    isYoungerThan: (age) => Effect.map(aged((old) => old <= Duration.toMillis(age)), Option.isSome),
    answeredAt: Effect.map(Ref.get(found), Option.map(({ at }) => at)),
    keepFresh: shared.pipe(
      Effect.tap(() => {
        failuresInARow = 0
        return upToDate(what)
      }),
      Effect.as(pause),
      Effect.catch((reason) =>
        Effect.as(warnStale(what, reason, ++failuresInARow), Duration.min(pause, retryPause))
      ),
      Effect.catchDefect((defect) =>
        // A defect would end the fiber, and the answer would grow old unseen.
        Effect.as(
          Effect.logError(`${what} could not be read because of an internal error`, defect),
          retryPause,
        )
      ),
      Effect.flatMap(Effect.sleep),
      Effect.forever,
    ),
  }
})
