import { Deferred, Effect, Exit, Semaphore } from "effect"

interface Waiting<In, Out, E> {
  readonly item: In
  readonly result: Deferred.Deferred<Out, E>
}

/**
 * Lets many callers share one write: what comes in while a write is under way goes into the next one together, at
 * most `most` at a time, and what comes in alone is written at once. `write` tells what came of each item. Where
 * the caller that writes for others is interrupted, they write again.
 */
export const makeBatched = <In, Out, E>(
  write: (items: ReadonlyArray<In>) => Effect.Effect<(item: In) => Out, E>,
  most: number,
): (item: In) => Effect.Effect<Out, E> => {
  const turns = Semaphore.makeUnsafe(1)
  const waiting = new Set<Waiting<In, Out, E>>()

  /** The writer's own is always among them: others that were given up halfway may have come before it. */
  const takeSome = (own: Waiting<In, Out, E>) => {
    waiting.delete(own)
    const some = [own, ...[...waiting].slice(0, most - 1)]
    for (const one of some) waiting.delete(one)
    return some
  }

  const writeSome = (own: Waiting<In, Out, E>) => {
    const some = takeSome(own)
    return write(some.map(({ item }) => item)).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() => {
          for (const one of some) {
            if (Exit.hasInterrupts(exit)) waiting.add(one)
            else Deferred.doneUnsafe(one.result, Exit.map(exit, (outcomeOf) => outcomeOf(one.item)))
          }
        })
      ),
      Effect.exit,
    )
  }

  return (item) =>
    Effect.suspend(() => {
      const mine: Waiting<In, Out, E> = { item, result: Deferred.makeUnsafe() }
      waiting.add(mine)
      const turn = Effect.suspend(() => waiting.has(mine) ? Effect.asVoid(writeSome(mine)) : Effect.void)
      return turns.withPermit(turn).pipe(
        Effect.andThen(Deferred.await(mine.result)),
        Effect.onInterrupt(() => Effect.sync(() => waiting.delete(mine))),
      )
    })
}
