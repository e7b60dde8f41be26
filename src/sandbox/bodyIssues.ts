import { type Schema, SchemaIssue } from "effect"
import { combineIssues, issueAbout, type Issues } from "#domain/Issues.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => issue._tag === "MissingKey" ? "Required" : SchemaIssue.defaultLeafHook(issue),
})

export const bodyIssues = (error: Schema.SchemaError) =>
  format(error.issue).issues.map(({ message, path = [] }) => ({
    path: path.map((segment) => String(typeof segment === "object" ? segment.key : segment)),
    message,
  }))

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
}

/** Alternatives such as `"a" | "b"` or `string | number` in plain English; other text stays as it is. */
const alternatives = (text: string): string => {
  const parts = text.split(" | ")
  if (parts.every((part) => /^"(.*)"$/.test(part))) {
    const values = parts.map((part) => part.slice(1, -1))
    return values.length === 1 ? values.join() : `one of ${values.join(", ")}`
  }
  return parts.map((part) => kinds[part] ?? part).join(" or ")
}

const predicate = (message: string): string => {
  if (message === "Required") return "is required"
  const [, expected] = /^Expected (.+?)(?:, got |$)/s.exec(message) ?? []
  return expected === undefined ? message : `must be ${alternatives(expected)}`
}

/** Every fault of a body, by the first member of its path; faults of the whole body stand under `body`. */
export const issuesByMember = (error: Schema.SchemaError): Issues =>
  combineIssues(
    bodyIssues(error).map(({ message, path: [member = "body"] }) => issueAbout(member, predicate(message))),
  )
