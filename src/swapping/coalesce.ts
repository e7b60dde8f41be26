import { Deferred, Effect, FiberSet, type Scope } from "effect"

/** Runs the work of a key, or waits for it where it is under way already. */
export type Coalesce<K, A, E> = (key: K, work: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Lets concurrent callers share one piece of work for each key. The work does not end with the caller who
 * began it, only with the scope.
 */
export const makeCoalesce = <K, A, E>(): Effect.Effect<Coalesce<K, A, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<boolean>()
    const underWay = new Map<K, Deferred.Deferred<A, E>>()

    const begin = (key: K, work: Effect.Effect<A, E>) => {
      const result = Deferred.makeUnsafe<A, E>()
      underWay.set(key, result)
      const shared = work.pipe(
        Effect.ensuring(Effect.sync(() => underWay.delete(key))),
        Deferred.into(result),
      )
      return Effect.andThen(Effect.uninterruptible(FiberSet.run(fibers, shared)), Deferred.await(result))
    }

    return (key, work) =>
      Effect.suspend(() => {
        const running = underWay.get(key)
        return running === undefined ? begin(key, work) : Deferred.await(running)
      })
  })
