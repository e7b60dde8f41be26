const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
}

const quoted = /^"(.*)"$/

/** `"a" | "b"` or `string | number`, as a person would say it; anything else stays as it is. */
const alternatives = (text: string): string => {
  const parts = text.split(" | ")
  if (parts.every((part) => quoted.test(part))) {
    const values = parts.map((part) => part.slice(1, -1))
    return values.length === 1 ? values.join() : `one of ${values.join(", ")}`
  }
  return parts.map((part) => kinds[part] ?? part).join(" or ")
}

/** What is wrong with a member of a body, in a sentence about it. */
export const inWords = (member: string, message: string): string => {
  if (message === "Required") return `${member} is required`
  const [, expected] = /^Expected (.+?)(?:, got .*)?$/.exec(message) ?? []
  return expected === undefined ? message : `${member} must be ${alternatives(expected)}`
}
