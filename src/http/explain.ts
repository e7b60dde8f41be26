import { Effect, Option, Result, Schema, SchemaAST, Struct } from "effect"
import {
  combineIssues,
  hasIssues,
  InvalidRequest,
  issueAbout,
  type Issues,
  noIssues,
} from "../domain/Issues.ts"

/** A request's parameters as they came: a name that was given several times has all its values. */
export type RawParameters = Readonly<Record<string, unknown>>

/**
 * The value, when neither reading the parameters nor the rules over them found an issue; else one error with
 * the issues of both (decision 15).
 */
export const accept = <A>(
  readIssues: ReadonlyArray<Issues>,
  result: Result.Result<A, Issues>,
): Effect.Effect<A, InvalidRequest> => {
  const errors = combineIssues([...readIssues, ...(Result.isFailure(result) ? [result.failure] : [])])
  if (Result.isSuccess(result) && !hasIssues(errors)) return Effect.succeed(result.success)
  return Effect.fail(new InvalidRequest({ errors }))
}

const takesList = (type: SchemaAST.AST): boolean =>
  SchemaAST.isArrays(type) || (SchemaAST.isUnion(type) && type.types.some(takesList))

/** Reads one parameter on its own, so that the issues of all of them are found at once. */
const memberReader = (name: string, type: SchemaAST.AST) => {
  const field: Schema.Codec<unknown, unknown> = Schema.make(type)
  const decode = Schema.decodeUnknownResult(Schema.toCodecArrayFromSingle(Schema.Struct({ [name]: field })))
  const sentence = Schema.resolveAnnotations(field)?.message ?? "does not have the expected form"
  const isRequired = !SchemaAST.isOptional(type)
  const isList = takesList(type)
  return (raw: RawParameters): ReadonlyArray<Issues> => {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined
    if (value === undefined) return isRequired ? [issueAbout(name, "is required")] : []
    if (Result.isSuccess(decode(raw))) return []
    return [issueAbout(name, Array.isArray(value) && !isList ? "may be given only once" : sentence)]
  }
}

/**
 * Everything that is wrong with parameters by the schema that refused them, each read by itself. Unknown ones are
 * ignored (decision 3).
 */
export const explain = ({ ast }: Schema.Top) => {
  const readers = SchemaAST.isObjects(ast)
    ? ast.propertySignatures.map(({ name, type }) => memberReader(String(name), type))
    : []
  return (raw: RawParameters): Issues => combineIssues(readers.flatMap((read) => read(raw)))
}

/** Reads the parameters of a schema: as a whole, or, where that is refused, those that can be read. */
export interface Reader<Whole extends Part, Part> {
  readonly whole: (raw: RawParameters) => Option.Option<Whole>
  readonly part: (raw: RawParameters) => { readonly values: Part; readonly issues: Issues }
}

/** Parameters of which each has a schema, and none needs a service to be read. */
type Fields = Readonly<Record<string, Schema.Codec<unknown, unknown>>>

/** What reads the parameters of `schema`; a single value is a list of one, as in a query. */
export const readerOf = <F extends Fields>(schema: Schema.Struct<F>) => {
  const issuesOf = explain(schema)
  const decodePart = Schema.decodeUnknownSync(
    Schema.toCodecArrayFromSingle(schema.mapFields(Struct.map(Schema.optionalKey))),
  )
  return {
    whole: Schema.decodeUnknownOption(Schema.toCodecArrayFromSingle(schema)),
    part: (raw: RawParameters) => {
      const issues = issuesOf(raw)
      const readable = Object.entries(raw).filter(([name]) => !Object.hasOwn(issues, name))
      return { values: decodePart(Object.fromEntries(readable)), issues }
    },
  }
}

/** What parameters come to by rules over all of them; `unreadable` names those that nothing could be read of. */
export type Rules<Part, A, R> = (
  values: Part,
  unreadable?: ReadonlyArray<string>,
) => Effect.Effect<Result.Result<A, Issues>, never, R>

/**
 * Reads parameters and applies the rules to what could be read of them: fails with everything that is wrong, be it
 * known before, in reading or by the rules, in that order.
 */
export const readBy =
  <Whole extends Part, Part, A, R>(reader: Reader<Whole, Part>, rules: Rules<Part, A, R>) =>
  (raw: RawParameters, known: Issues = noIssues): Effect.Effect<A, InvalidRequest, R> => {
    const whole = reader.whole(raw)
    if (Option.isSome(whole)) {
      return Effect.flatMap(rules(whole.value), (result) => accept([known], result))
    }
    const { issues, values } = reader.part(raw)
    return Effect.flatMap(rules(values, Object.keys(issues)), (result) => accept([known, issues], result))
  }
