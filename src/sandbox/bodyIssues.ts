import { type Schema, SchemaIssue } from "effect"

/** One thing that does not fit in a body, and where. */
export interface BodyIssue {
  readonly path: ReadonlyArray<string>
  readonly message: string
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => issue._tag === "MissingKey" ? "Required" : SchemaIssue.defaultLeafHook(issue),
})

/** Everything that does not fit, part by part. */
export const bodyIssues = (error: Schema.SchemaError): ReadonlyArray<BodyIssue> =>
  format(error.issue).issues.map(({ message, path = [] }) => ({
    path: path.map((segment) => String(typeof segment === "object" ? segment.key : segment)),
    message,
  }))
