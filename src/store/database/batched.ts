import { Context, Deferred, Duration, Effect, Exit, Semaphore } from "effect"

interface Waiting<In, Out, E> {
  readonly item: In
  readonly result: Deferred.Deferred<Out, E>
}

/** How long a write waits for others that could share it. */
export type Gathering = Duration.Duration

/**
 * The gathering of the database in use, in real time. A server needs none: items gather while the write before is on
 * its way. The embedded database blocks the process while it writes, so nobody could join without a wait.
 */
export const Gathering = Context.Reference<Gathering>("swap-broker/store/Gathering", {
  defaultValue: () => Duration.zero,
})

const gather = (gathering: Gathering): Effect.Effect<void> =>
  Duration.isZero(gathering) ? Effect.void : Effect.callback((resume) => {
    const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(gathering))
    return Effect.sync(() => clearTimeout(timer))
  })

/**
 * Lets many callers share one write: what comes in while a write is under way goes into the next one together, at
 * most `most` at a time, and what comes in alone is written at once. `write` tells what came of each item. Where
 * the caller that writes for others is interrupted, they write again.
 */
export const makeBatched = <In, Out, E>(
  write: (items: ReadonlyArray<In>) => Effect.Effect<(item: In) => Out, E>,
  most: number,
  gathering: Gathering = Duration.zero,
): (item: In) => Effect.Effect<Out, E> => {
  const turns = Semaphore.makeUnsafe(1)
  const waiting = new Set<Waiting<In, Out, E>>()

  /** The next items to write. The writer's own item is always among them, though abandoned ones may precede it. */
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
      const turn = Effect.suspend(() =>
        waiting.has(mine)
          ? Effect.andThen(gather(gathering), Effect.suspend(() => Effect.asVoid(writeSome(mine))))
          : Effect.void
      )
      return turns.withPermit(turn).pipe(
        Effect.andThen(Deferred.await(mine.result)),
        Effect.onInterrupt(() => Effect.sync(() => waiting.delete(mine))),
      )
    })
}
