/** What the contract says of a path, which the server goes by before a request is routed. */
export interface PathFacts {
  readonly methods: ReadonlyArray<string>
  /** A GET begins a swap, so a HEAD must not be answered by one (decision 12). */
  readonly beginsSwap?: boolean
  /**
   * For the operator alone. A key that may operate must not live in a page, where every script can read it; and a
   * service that listens on the operator's own machine can be reached from every page that the operator opens, so
   * its figures and its switches are not for pages either.
   */
  readonly isClosed?: boolean
  /** Headers of every answer, whatever it says. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The paths that there are; a path can have parameters, as in `/providers/:name/switch`. */
export type Paths = ReadonlyMap<string, PathFacts>

/** The router takes what follows a `;` for a query, so that it would read another path than is read here. */
const isValue = (part: string | undefined): boolean =>
  part !== undefined && part !== "" && !part.includes(";")

const fits = (template: string, path: string): boolean => {
  const wanted = template.split("/")
  const given = path.split("/")
  return wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(":") ? isValue(given[index]) : part === given[index])
}

/**
 * The path of the contract that a request's path is one of, with the names of its parameters in place of
 * their values: fit for logs and labels, where the values are not. A path has one spelling here, while the router
 * takes many for it: what is allowed by path is safe only where a request of no known path does not get to the
 * router.
 */
export const knownPath = (paths: Paths, path: string): string | undefined => {
  if (paths.has(path)) return path
  for (const template of paths.keys()) {
    if (template.includes(":") && fits(template, path)) return template
  }
  return undefined
}
