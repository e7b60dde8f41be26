import { Context, Deferred, Duration, Effect, Exit, Result } from "effect"
import { makePerKey } from "./perKey.ts"

interface Waiting<In, Out, E> {
  readonly item: In
  /** The context of its caller, with the deadline and the span. */
  readonly context: Context.Context<never>
  readonly result: Deferred.Deferred<Out, E>
}

/** How long a write waits for others that could share it. */
export type Gathering = Duration.Duration

/** How long writes gather, in real time: the embedded database blocks the process while it writes, a server does not. */
export const Gathering = Context.Reference<Gathering>("swap-broker/store/Gathering", {
  defaultValue: () => Duration.zero,
})

const gather = (gathering: Gathering): Effect.Effect<void> =>
  Duration.isZero(gathering) ? Effect.void : Effect.callback((resume) => {
    const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(gathering))
    return Effect.sync(() => clearTimeout(timer))
  })

/**
 * Lets many callers share one write: items that come in while a write is under way go into the next one together, at
 * most `most` at a time, and an item that comes in alone is written at once. `write` returns the outcome of each item.
 *
 * A write runs in a fiber of its own, with the context of its first item's caller, and goes on if any of its callers is
 * interrupted. An item whose caller is interrupted before its write begins is not written.
 */
export const makeBatched = <In, Out, E>(
  write: (items: ReadonlyArray<In>) => Effect.Effect<(item: In) => Out, E>,
  most: number,
  gathering: Gathering = Duration.zero,
): (item: In) => Effect.Effect<Out, E> => {
  const waiting = new Set<Waiting<In, Out, E>>()
  let isWriting = false

  const writeSome = Effect.suspend(() => {
    const some = [...waiting].slice(0, most)
    const [first] = some
    if (first === undefined) return Effect.void
    for (const one of some) waiting.delete(one)
    return write(some.map(({ item }) => item)).pipe(
      Effect.provideContext(first.context),
      Effect.exit,
      Effect.map((exit) => {
        for (const one of some) {
          Deferred.doneUnsafe(one.result, Exit.map(exit, (outcomeOf) => outcomeOf(one.item)))
        }
      }),
    )
  })

  const writeAll: Effect.Effect<void> = Effect.suspend(() => {
    isWriting = waiting.size > 0
    return isWriting ? Effect.andThen(Effect.andThen(gather(gathering), writeSome), writeAll) : Effect.void
  })

  return (item) =>
    Effect.contextWith((context: Context.Context<never>) => {
      const mine: Waiting<In, Out, E> = { item, context, result: Deferred.makeUnsafe() }
      waiting.add(mine)
      return Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          isWriting ? Effect.void : Effect.forkDetach(writeAll, { startImmediately: true }),
          Effect.onInterrupt(
            restore(Deferred.await(mine.result)),
            () => Effect.sync(() => waiting.delete(mine)),
          ),
        )
      )
    })
}

/**
 * Shares writes like `makeBatched`, where items may have to wait for a lock that others hold. `writeFree` waits for no
 * lock: it returns the outcome of each item that need not wait, and for the others the key of their lock. Those go on
 * in a lane of that key, where `writeWaiting` writes them together. So no item waits for the lock of another key, and a
 * lock that is held for long takes one connection, however many items need it.
 */
export const makeBatchedInLanes = <In, Out, E, Key>(
  writes: {
    readonly writeFree: (items: ReadonlyArray<In>) => Effect.Effect<(item: In) => Result.Result<Out, Key>, E>
    readonly writeWaiting: (items: ReadonlyArray<In>) => Effect.Effect<(item: In) => Out, E>
  },
  most: number,
  gathering: Gathering,
): (item: In) => Effect.Effect<Out, E> => {
  const { writeFree, writeWaiting } = writes
  const free = makeBatched(writeFree, most, gathering)
  const inLane = makePerKey<Key, (item: In) => Effect.Effect<Out, E>>(() => makeBatched(writeWaiting, most))

  return (item) =>
    Effect.flatMap(
      free(item),
      Result.match({ onSuccess: Effect.succeed, onFailure: (key) => inLane(key, (write) => write(item)) }),
    )
}
