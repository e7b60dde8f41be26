import { Deferred, Duration, Effect, Option, Result } from "effect"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"

/** An answer or the meaning of its refusal; fails if the host is unreachable or at fault itself. */
export type Saying<A> = Effect.Effect<Result.Result<A, ProviderErrorReason>, ProviderErrorReason>

/** How long one host is waited for before the other is asked, too: an attempt of a call has time for both. */
const patience = Duration.seconds(1)

/** How long a host that has failed is asked after the other, so that not every call waits for it. */
const restMillis = 30_000

/** Asks `other` when `one` fails or stays silent for a while; the first answer counts. Fails as `one` does. */
const inTurn = <A>(one: Saying<A>, other: Saying<A>): Saying<A> =>
  Effect.gen(function* () {
    const failed = yield* Deferred.make<ProviderErrorReason>()
    return yield* Effect.race(
      Effect.tapError(one, (reason) => Deferred.succeed(failed, reason)),
      Effect.andThen(Effect.timeoutOption(Deferred.await(failed), patience), other),
    ).pipe(Effect.catch(() => Effect.flatMap(Deferred.await(failed), Effect.fail)))
  })

/** Makes a function that asks `first`, and `second` if it fails. `endpoint` names the host in messages. */
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
