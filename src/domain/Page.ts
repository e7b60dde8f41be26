/** Which part of a list is wanted. */
export interface PageQuery<Id> {
  /** The first to list, itself included; the list's own first when absent. */
  readonly offset?: Id
  readonly limit: number
}

/** A part of a list. */
export interface Page<A, Id> {
  readonly items: ReadonlyArray<A>
  /** The offset of the next part; absent when there is none. */
  readonly next?: Id
}

/** The part out of what was found, which is one more than its limit where there is more. */
export const pageOf = <A, Id>(found: ReadonlyArray<A>, limit: number, idOf: (item: A) => Id): Page<A, Id> => {
  const items = found.slice(0, limit)
  const next = found[limit]
  return next === undefined ? { items } : { items, next: idOf(next) }
}
