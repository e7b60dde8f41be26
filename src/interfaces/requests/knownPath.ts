/** The contract's facts about a path, which the server needs before it routes a request. */
export interface PathFacts {
  readonly methods: ReadonlyArray<string>
  /**
   * True where a request begins a swap: a HEAD must not be answered by running the GET (decision 12), and answers are
   * signed (decision 47).
   */
  readonly beginsSwap?: boolean
  /**
   * True for the operator's paths, which no page may read. A key that may operate must not live in a page, where
   * every script can read it. A service on the operator's own machine can be reached from every page that the
   * operator opens, so figures and switches are not for pages either.
   */
  readonly isClosed?: boolean
  /** Headers of every answer under the path, problems included. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The facts of each path. A path can have parameters, as in `/providers/:name/switch`. */
export type Paths = ReadonlyMap<string, PathFacts>

/** Whether a part of a path can be a value. After a `;` the router would read a query, and so another path. */
const isValue = (part: string | undefined): boolean =>
  part !== undefined && part !== "" && !part.includes(";")

const fits = (template: string, path: string): boolean => {
  const wanted = template.split("/")
  const given = path.split("/")
  return wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(":") ? isValue(given[index]) : part === given[index])
}

/**
 * The contract's path for a request's path, with parameter names in place of values: fit for logs and labels, where
 * the values are not. A path has one spelling here, while the router accepts many, so a request of no known path must
 * not reach the router: rights are looked up by path.
 */
export const knownPath = (paths: Paths, path: string): string | undefined => {
  if (paths.has(path)) return path
  for (const template of paths.keys()) {
    if (template.includes(":") && fits(template, path)) return template
  }
  return undefined
}
