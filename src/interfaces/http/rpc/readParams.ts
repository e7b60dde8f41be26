import { Predicate, Result, Schema, SchemaIssue } from "effect"
import { combineIssues, issueAbout, type Issues } from "#domain/Issues.ts"
import { type JsonText, readExactly } from "#domain/JsonText.ts"
import { meansTag, tagRefusal } from "../../requests/recipientTags.ts"

/** The value without members that are null, at any depth: the upstream takes a null for "not given". */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => member === null ? [] : [[name, withoutNulls(member)]]),
  )
}

/** Parameters by name. Those of a list get the names in order, and beyond the last name their place. */
const named = (names: ReadonlyArray<string>, params: unknown): unknown =>
  Array.isArray(params)
    ? Object.fromEntries(params.map((param, index) => [names[index] ?? `params[${index}]`, param]))
    : params

const stranger = "is not a parameter that this broker can do anything with"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is required"
    if (issue._tag === "UnexpectedKey") return stranger
    return SchemaIssue.defaultLeafHook(issue)
  },
})

/** A path as text: `affiliate_fees[0].account`. */
const pathText = (path: ReadonlyArray<unknown>): string =>
  path.reduce<string>((text, key) => {
    if (Predicate.isNumber(key)) return `${text}[${key}]`
    return text === "" ? `${String(key)}` : `${text}.${String(key)}`
  }, "")

const issuesIn = (issue: SchemaIssue.Issue): Issues =>
  combineIssues(
    format(issue).issues.map(({ message, path = [] }) => {
      const name = pathText(path.map((key) => Predicate.hasProperty(key, "key") ? key.key : key))
      return issueAbout(name, message === stranger && meansTag(name) ? tagRefusal(name) : message)
    }),
  )

/**
 * Makes the reader of parameters, given by name or as a list in the order of the schema's fields. The schema also
 * documents them. A parameter that it does not have is an issue, so that nothing is dropped silently.
 */
export const paramsReader = <F extends Schema.Struct.Fields>(
  schema: Schema.ConstraintDecoder<Schema.Struct<F>["Type"]> & { readonly fields: F },
) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const names = Object.keys(schema.fields)
  return (params: JsonText | undefined): Result.Result<Schema.Struct<F>["Type"], Issues> =>
    decode(withoutNulls(named(names, params === undefined ? {} : readExactly(params)))).pipe(
      Result.mapError(({ issue }) => issuesIn(issue)),
    )
}
