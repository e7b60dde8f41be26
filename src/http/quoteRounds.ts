import { type Duration, Effect, Option, Stream } from "effect"
import type { Caller } from "../domain/Account.ts"

/** How a stream asks the providers again and again: `A` is what they answer with, `T` what the caller is told of it. */
export interface Rounds<A, E, T> {
  /** The caller of the request. */
  readonly caller: Caller
  /** The same caller with the rights and terms of now; none once it may not listen any more. */
  readonly listener: Effect.Effect<Option.Option<Caller>>
  readonly ask: (caller: Caller) => Effect.Effect<Stream.Stream<A>, E>
  /** What is told of an answer of a round, which may be the last one. */
  readonly tell: (answer: A, isLast: boolean) => Effect.Effect<T>
  /** What is told where the providers may not be asked again. */
  readonly refused: (failure: E) => T
  /** The time between the end of a round and the next one. */
  readonly pause: Duration.Duration
  readonly most: number
}

/**
 * All that is told in the rounds of a stream, which fails where the first may not be asked. Minutes pass between rounds,
 * so each is asked under what holds by then: else its quotes would hold a commission that no opening takes any more.
 */
export const inRounds = <A, E, T>(
  { ask, caller, listener, most, pause, refused, tell }: Rounds<A, E, T>,
): Effect.Effect<Stream.Stream<T>, E> => {
  const from = (round: number, answers: Stream.Stream<A>): Stream.Stream<T> => {
    const isLast = round === most
    const told = Stream.mapEffect(answers, (answer) => tell(answer, isLast))
    return isLast ? told : Stream.concat(told, Stream.unwrap(Effect.delay(next(round + 1), pause)))
  }

  const next = (round: number): Effect.Effect<Stream.Stream<T>> =>
    Effect.flatMap(
      listener,
      Option.match({
        onNone: () => Effect.succeed(Stream.empty),
        onSome: (caller) =>
          Effect.match(ask(caller), {
            onSuccess: (answers) => from(round, answers),
            onFailure: (failure) => Stream.succeed(refused(failure)),
          }),
      }),
    )

  return Effect.map(ask(caller), (answers) => from(1, answers))
}
