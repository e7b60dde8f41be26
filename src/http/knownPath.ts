/** The methods that each path has; a path can have parameters, as in `/providers/:name/switch`. */
export type Methods = ReadonlyMap<string, ReadonlyArray<string>>

const fits = (template: string, path: string): boolean => {
  const wanted = template.split("/")
  const given = path.split("/")
  return wanted.length === given.length &&
    wanted.every((part, index) => part === given[index] || (part.startsWith(":") && given[index] !== ""))
}

/**
 * The path of the contract that a request's path is one of, with the names of its parameters in place of
 * their values: fit for logs and labels, where the values are not.
 */
export const knownPath = (methods: Methods, path: string): string | undefined => {
  if (methods.has(path)) return path
  for (const template of methods.keys()) {
    if (template.includes(":") && fits(template, path)) return template
  }
  return undefined
}
