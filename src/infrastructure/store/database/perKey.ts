import { Effect } from "effect"

/** Values shared by all users of a key while it has any. Effect's `RcMap` takes twice as long. */
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
