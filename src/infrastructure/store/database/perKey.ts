import { Effect } from "effect"

/**
 * Values that all users of a key share, such as a queue: made for the first user of a key and dropped with the last.
 * Effect's `RcMap` takes twice as long, and needs a scope for each use.
 */
export const makePerKey = <Key, Shared>(make: () => Shared) => {
  const all = new Map<Key, { readonly shared: Shared; users: number }>()

  const enter = (key: Key) => {
    const entry = all.get(key) ?? { shared: make(), users: 0 }
    all.set(key, entry)
    entry.users++
    return entry
  }

  return <A, E, R>(key: Key, use: (shared: Shared) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => enter(key)),
      ({ shared }) => use(shared),
      (entry) =>
        Effect.sync(() => {
          entry.users--
          if (entry.users === 0) all.delete(key)
        }),
    )
}
