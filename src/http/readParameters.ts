import { Result, Schema, SchemaAST } from "effect"
import { combineIssues, issueAbout, type Issues } from "../domain/Issues.ts"

/** A request's parameters as they came: a name that was given several times has all its values. */
export type RawParameters = Readonly<Record<string, unknown>>

/** What could be read of a request, and an issue for each parameter that could not. */
export interface Read<A> {
  readonly values: A
  readonly issues: Issues
}

/** Reads one parameter on its own, so that the issues of all of them are found at once. */
const fieldReader = (name: string, field: Schema.Codec<unknown, unknown>, isList: boolean) => {
  const decode = Schema.decodeUnknownResult(Schema.toCodecArrayFromSingle(Schema.Struct({ [name]: field })))
  const sentence = Schema.resolveAnnotations(field)?.message ?? "does not have the expected form"
  return (raw: RawParameters): ReadonlyArray<Issues> => {
    if (Result.isSuccess(decode(raw))) return []
    return [
      issueAbout(name, Array.isArray(raw[name]) && !isList ? "may be given only once" : sentence),
    ]
  }
}

const has = (raw: RawParameters, name: string): boolean => Object.hasOwn(raw, name) && raw[name] !== undefined

/**
 * Reads the parameters of `schema`, in which every member may be absent; the names of `required` may not.
 * Those of `lists` may have several values: of a query only `status`. Unknown parameters are ignored
 * (decision 3).
 */
export const parameterReader = <F extends Readonly<Record<string, Schema.Codec<unknown, unknown>>>>(
  schema: Schema.Struct<F>,
  required: ReadonlyArray<string>,
  lists: ReadonlyArray<string> = [],
) => {
  const readers = Object.entries(schema.fields).map(([name, field]) => ({
    name,
    read: fieldReader(name, field, lists.includes(name)),
  }))
  const decode = Schema.decodeUnknownSync(Schema.toCodecArrayFromSingle(schema))
  return (raw: RawParameters): Read<Schema.Struct<F>["Type"]> => {
    const issues = readers.flatMap(({ name, read }) => {
      if (!has(raw, name)) return required.includes(name) ? [issueAbout(name, "is required")] : []
      return read(raw)
    })
    const combined = combineIssues(issues)
    const readable = Object.entries(raw).filter(([name]) => !Object.hasOwn(combined, name))
    return { values: decode(Object.fromEntries(readable)), issues: combined }
  }
}

/** The members of a query, as the schema of its endpoint has them. */
const membersOf = ({ ast }: Schema.Top) =>
  SchemaAST.isObjects(ast)
    ? ast.propertySignatures.map(({ name, type }) => ({
      name: String(name),
      isRequired: !SchemaAST.isOptional(type),
      read: fieldReader(String(name), Schema.make(type), SchemaAST.isArrays(type)),
    }))
    : []

/** Everything that is wrong with the parameters of an endpoint's query, each read by itself. */
export const explain = (query: Schema.Top) => {
  const members = membersOf(query)
  return (raw: RawParameters): Issues =>
    combineIssues(members.flatMap(({ name, isRequired, read }) => {
      if (has(raw, name)) return read(raw)
      return isRequired ? [issueAbout(name, "is required")] : []
    }))
}
