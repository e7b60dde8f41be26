import { Deferred, Effect, FiberSet, type Scope } from "effect"

/** Work that concurrent callers share, one piece for each key. It ends with the scope, not with its first caller. */
export interface ShareWork<K, A, E> {
  /** Runs the work, or joins the work of the key that is under way. */
  readonly share: (key: K, work: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Runs the work even if other work is under way; later callers of `share` join this. */
  readonly begin: (key: K, work: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/**
 * Effect's `Cache`, where it keeps nothing, is as fast, but ends its work when the last caller
 * is gone, and has only one piece of work for a key.
 */
export const makeShareWork = <K, A, E>(): Effect.Effect<ShareWork<K, A, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<boolean>()
    const underWay = new Map<K, Deferred.Deferred<A, E>>()

    const begin = (key: K, work: Effect.Effect<A, E>) =>
      Effect.suspend(() => {
        const result = Deferred.makeUnsafe<A, E>()
        underWay.set(key, result)
        const end = Effect.sync(() => {
          if (underWay.get(key) === result) underWay.delete(key)
        })
        const shared = work.pipe(Effect.ensuring(end), Deferred.into(result))
        return Effect.andThen(Effect.uninterruptible(FiberSet.run(fibers, shared)), Deferred.await(result))
      })

    return {
      begin,
      share: (key, work) =>
        Effect.suspend(() => {
          const running = underWay.get(key)
          return running === undefined ? begin(key, work) : Deferred.await(running)
        }),
    }
  })
