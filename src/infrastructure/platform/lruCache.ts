/**
 * A cache of at most `most` values: the least recently used are dropped when there are more. Effect's `Cache` takes 1.5
 * to 2 times as long, and needs an effect.
 */
export const makeLruCache = <Key, Value>(most: number) => {
  // Values in the order of their last use, the least recent first.
  const kept = new Map<Key, Value>()

  const keep = (key: Key, value: Value): void => {
    kept.delete(key)
    kept.set(key, value)
    const [oldest] = kept.size > most ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
  }

  return {
    find: (key: Key): Value | undefined => {
      const value = kept.get(key)
      if (value !== undefined) keep(key, value)
      return value
    },
    keep,
  }
}
