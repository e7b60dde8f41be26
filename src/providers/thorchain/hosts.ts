import { Deferred, Duration, Effect, Option, Result } from "effect"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"

/**
 * What a host says: an answer, or the meaning of its refusal. It fails where the host is of no use: it cannot be
 * reached, or answers with a fault of its own.
 */
export type Saying<A> = Effect.Effect<Result.Result<A, ProviderErrorReason>, ProviderErrorReason>

/** How long one host is waited for before the other is asked, too: an attempt of a call has time for both. */
const patience = Duration.seconds(1)

/** How long a host that has failed is asked after the other, so that not every call waits for it. */
const restMillis = 30_000

/**
 * The other is asked as soon as the one has failed, or has said nothing for a while; what is said first counts. Where both
 * fail it is for the reason of the one.
 */
const inTurn = <A>(one: Saying<A>, other: Saying<A>): Saying<A> =>
  Effect.gen(function* () {
    const failed = yield* Deferred.make<ProviderErrorReason>()
    return yield* Effect.race(
      Effect.tapError(one, (reason) => Deferred.succeed(failed, reason)),
      Effect.andThen(Effect.timeoutOption(Deferred.await(failed), patience), other),
    ).pipe(Effect.catch(() => Effect.flatMap(Deferred.await(failed), Effect.fail)))
  })

/**
 * Makes a function that asks a host, or a second one where the first fails: a call fails only where both do. `endpoint` is
 * what messages call the host.
 */
export const makeAsk = <Host>(endpoint: string, first: Host, second: Option.Option<Host>) => {
  let restsUntil = 0

  const note = (isFirst: boolean) =>
    Effect.gen(function* () {
      const now = yield* currentMillis
      if (isFirst) restsUntil = 0
      else if (now >= restsUntil) {
        restsUntil = now + restMillis
        yield* Effect.logWarning(
          `The ${endpoint} fails, is slow or is asked as often as it may be: the second one answers in its place`,
        )
      }
    })

  return <A>(say: (host: Host) => Saying<A>): Effect.Effect<A, ProviderErrorReason> =>
    Option.match(second, {
      onNone: () => say(first),
      onSome: (second) =>
        Effect.flatMap(currentMillis, (now) => {
          const ofFirst = Effect.tap(say(first), note(true))
          const ofSecond = Effect.tap(say(second), note(false))
          return now < restsUntil ? inTurn(ofSecond, ofFirst) : inTurn(ofFirst, ofSecond)
        }),
    }).pipe(Effect.flatMap(Effect.fromResult))
}
