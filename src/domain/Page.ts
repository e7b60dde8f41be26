/** The part of a list that is asked for. */
export interface PageQuery<Id> {
  /** The first item to list; absent: the list's own first. */
  readonly offset?: Id
  readonly limit: number
}

/** A part of a list. */
export interface Page<A, Id> {
  readonly items: ReadonlyArray<A>
  /** The offset of the next part; absent when there is none. */
  readonly next?: Id
}

/** The page of a list that has nothing. */
export const noPage: Page<never, never> = { items: [] }

/** Makes a page of the items found. Finding `limit + 1` items tells that there is a next page. */
export const pageOf = <A, Id>(found: ReadonlyArray<A>, limit: number, idOf: (item: A) => Id): Page<A, Id> => {
  const items = found.slice(0, limit)
  const next = found[limit]
  return next === undefined ? { items } : { items, next: idOf(next) }
}
