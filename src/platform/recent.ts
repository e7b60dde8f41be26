/** What was lately asked for; what was asked for least lately is forgotten where it becomes too much. */
export interface Recent<Key, Value> {
  readonly find: (key: Key) => Value | undefined
  readonly keep: (key: Key, value: Value) => void
}

/** Remembers at most so many. */
export const makeRecent = <Key, Value>(most: number): Recent<Key, Value> => {
  // What was asked for least lately first, as each is put at the end.
  const kept = new Map<Key, Value>()

  const keep = (key: Key, value: Value): void => {
    kept.delete(key)
    kept.set(key, value)
    const [oldest] = kept.size > most ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
  }

  return {
    find: (key) => {
      const value = kept.get(key)
      if (value !== undefined) keep(key, value)
      return value
    },
    keep,
  }
}
