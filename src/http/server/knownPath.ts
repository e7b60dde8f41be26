/** The methods that each path has; a path can have parameters, as in `/providers/:name/switch`. */
export type Methods = ReadonlyMap<string, ReadonlyArray<string>>

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
export const knownPath = (methods: Methods, path: string): string | undefined => {
  if (methods.has(path)) return path
  for (const template of methods.keys()) {
    if (template.includes(":") && fits(template, path)) return template
  }
  return undefined
}
