import { Duration, Effect, Latch } from "effect"

/** The time before other replicas learn of something. A shorter one is more exact, and more work for all. */
const interval = Duration.millis(100)

/** The most that the shared store is told of at the same time. */
const concurrency = 32

/** Collects what the shared store is to know, and tells it ten times a second, so that no request waits for the store. */
export const syncLater = Effect.fnUntraced(
  function* <A>(tell: (value: A, key: string) => Effect.Effect<void>) {
    let untold = new Map<string, A>()
    const somethingToTell = yield* Latch.make()

    const settle = Effect.gen(function* () {
      yield* somethingToTell.await
      yield* Effect.sleep(interval)
      yield* somethingToTell.close
      const told = untold
      untold = new Map()
      yield* Effect.forEach(told, ([key, value]) => tell(value, key), { concurrency, discard: true })
    })
    yield* Effect.forkScoped(Effect.forever(settle), { startImmediately: true })

    return {
      /** What is still to be told under the key. */
      get: (key: string) => untold.get(key),
      /** Tells it soon, in place of what was noted under the key and is not told yet. */
      note: (key: string, value: A): void => {
        untold.set(key, value)
        somethingToTell.openUnsafe()
      },
    }
  },
)
