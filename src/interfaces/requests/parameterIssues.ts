import { Effect, Option, Predicate, Result, Schema, SchemaAST, Struct } from "effect"
import { withoutExponent } from "#domain/money/Decimal.ts"
import {
  combineIssues,
  hasIssues,
  InvalidRequest,
  issueAbout,
  type Issues,
  noIssues,
} from "#domain/Issues.ts"
import { distanceWithin, nearest } from "#domain/nearest.ts"
import { HttpServerRequest } from "effect/http"
import { type JsonText, parseJsonText, repeatedMembers } from "#domain/JsonText.ts"
import { BodyNotJson } from "./problems.ts"

declare global {
  interface JSON {
    /** The form whose reviver gets a number's digits as they were written, so that none passes through a double. */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

export const queryParameters: Effect.Effect<RawParameters, never, HttpServerRequest.ParsedSearchParams> =
  HttpServerRequest.ParsedSearchParams

const notAnObject = new InvalidRequest({
  errors: issueAbout("body", "must be a JSON object with the parameters as members"),
})

const unreadable = new InvalidRequest({ errors: issueAbout("body", "is not valid JSON") })

/** The text of a body, which is empty or JSON by its `Content-Type`. A body without one is taken for JSON. */
export const jsonBody = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.orDie(request.text)
  const contentType = request.headers["content-type"] ?? "application/json"
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType)
  return isJson || text.trim() === "" ? text : yield* new BodyNotJson()
})

/** The most repeated members that are told: a body of 64 kB can have thousands. */
const mostRepeated = 20

const repeatedIn = (json: JsonText): Issues =>
  combineIssues(
    repeatedMembers(json).slice(0, mostRepeated).map((name) => issueAbout(name, "may be given only once")),
  )

/** Refuses a body in which a member stands twice. Further rules are left to the reader of the body. */
export const requireSingleMembers = (text: string): Effect.Effect<void, InvalidRequest> => {
  const issues = Option.match(parseJsonText(text), { onNone: () => noIssues, onSome: repeatedIn })
  return hasIssues(issues) ? Effect.fail(new InvalidRequest({ errors: issues })) : Effect.void
}

/** The parameters of a request as they came, and the issues of how they are written. */
export interface Given {
  readonly raw: RawParameters
  readonly issues: Issues
  /** The members of the body that are null: they stand for absent ones. */
  readonly nulls?: ReadonlyArray<string>
}

const emptyBody: Given = { raw: {}, issues: noIssues }

/** The members of a JSON body. A null stands for an absent member, and an empty body has no members. */
const bodyRead = (parse: (json: JsonText) => unknown) =>
  Effect.gen(function* () {
    const text = yield* jsonBody
    if (text.trim() === "") return emptyBody
    const json = Option.getOrUndefined(parseJsonText(text))
    if (json === undefined) return yield* unreadable
    const body = parse(json)
    if (!Predicate.isObject(body)) return yield* notAnObject
    const members = Object.entries(body)
    const nulls = members.filter(([, value]) => value === null).map(([name]) => name)
    const read: Given = {
      raw: Object.fromEntries(members.filter(([, value]) => value !== null)),
      issues: repeatedIn(json),
      ...(nulls.length === 0 ? {} : { nulls }),
    }
    return read
  })

/** The members of a JSON body. Numbers become text of their digits, without exponents. */
export const bodyParameters = bodyRead((json) =>
  JSON.parse(
    json,
    (_, value, { source }) =>
      typeof value === "number" && source !== undefined ? withoutExponent(source) : value,
  )
)

/** The members of a JSON body without amounts, as any reader of JSON has them. */
export const plainBody = bodyRead((json) => JSON.parse(json))

/** A body with `ccmPayload`'s gas budget under the contract's name, from `gas_budget` or `gasBudget`. */
const withOneGasBudget = (raw: RawParameters): Given => {
  const { ccmPayload } = raw
  if (!Predicate.isObject(ccmPayload) || !Object.hasOwn(ccmPayload, "gas_budget")) {
    return { raw, issues: noIssues }
  }
  const { gas_budget: gasBudget, ...message } = { gasBudget: undefined, gas_budget: undefined, ...ccmPayload }
  const differs = message.gasBudget !== undefined && message.gasBudget !== gasBudget
  return {
    raw: { ...raw, ccmPayload: { ...message, gasBudget } },
    issues: differs
      ? issueAbout("ccmPayload", "has a gasBudget and a gas_budget with different values")
      : noIssues,
  }
}

/** The issues of members that query and body have with different values (decision 4). */
const contradictions = (query: RawParameters, body: RawParameters): Issues =>
  combineIssues(
    Object.keys(body)
      .filter((name) => Object.hasOwn(query, name) && query[name] !== body[name])
      .map((name) => issueAbout(name, "has different values in the query and in the body")),
  )

/** The parameters of query and body together, with an issue for each contradiction of the two (decision 4). */
export const queryAndBodyParameters = Effect.gen(function* () {
  const query = yield* queryParameters
  const body = yield* bodyParameters
  const members = withOneGasBudget(body.raw)
  const raw: RawParameters = { ...members.raw, ...query }
  const issues = combineIssues([body.issues, members.issues, contradictions(query, members.raw)])
  const given: Given = { ...body, raw, issues }
  return given
})

/** A request's parameters as they came. A name that was given several times has a list of all its values. */
export type RawParameters = Readonly<Record<string, unknown>>

/** The value where neither reading nor rules found issues; else all issues (decision 15). */
export const accept = <A>(
  readIssues: ReadonlyArray<Issues>,
  result: Result.Result<A, Issues>,
): Effect.Effect<A, InvalidRequest> => {
  const errors = combineIssues([...readIssues, ...(Result.isFailure(result) ? [result.failure] : [])])
  if (Result.isSuccess(result) && !hasIssues(errors)) return Effect.succeed(result.success)
  return Effect.fail(new InvalidRequest({ errors }))
}

/** How a number with an exponent is written in place of it, where the parameter takes it in plain digits. */
const plainForm = (value: unknown, takes: (plain: string) => boolean): string => {
  if (!Predicate.isString(value) || value.length > longestNumber) return ""
  const plain = withoutExponent(value)
  return plain !== value && takes(plain) ? `. In plain digits ${value} is ${plain}` : ""
}

/** The longest number with an exponent that is written out. */
const longestNumber = 64

const takesList = (type: SchemaAST.AST): boolean =>
  SchemaAST.isArrays(type) || (SchemaAST.isUnion(type) && type.types.some(takesList))

/** The words that a parameter can be one of, or a list of. */
const wordsOf = (type: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isLiteral(type)) return typeof type.literal === "string" ? [type.literal] : []
  if (SchemaAST.isUnion(type)) return type.types.flatMap(wordsOf)
  return SchemaAST.isArrays(type) ? [...type.elements, ...type.rest].flatMap(wordsOf) : []
}

/** A word of two letters, or an asset that is two letters away and so perhaps on another chain, is no advice. */
const isAdvice = (given: string, word: string): boolean =>
  word.length > 2 && (!word.includes(".") || distanceWithin(given.toLowerCase(), word, 1))

/** The words that values, none of which is one of `words`, were most likely meant for. */
const meantBy = (value: unknown, words: ReadonlyArray<string>): string => {
  const near = [value].flat().flatMap((given) => {
    const word = typeof given !== "string" || words.includes(given) ? undefined : nearest(given, words)
    return word === undefined || !isAdvice(`${given}`, word) ? [] : [word]
  })
  return near.length === 0 ? "" : `; did you mean ${[...new Set(near)].join(", ")}?`
}

/** Makes the reader of one parameter on its own, so that the issues of all are found at once. */
const memberReader = (name: string, type: SchemaAST.AST) => {
  const field: Schema.Codec<unknown, unknown> = Schema.make(type)
  const decode = Schema.decodeUnknownResult(Schema.toCodecArrayFromSingle(Schema.Struct({ [name]: field })))
  const sentence = Schema.resolveAnnotations(field)?.message ?? "does not have the expected form"
  const words = wordsOf(type)
  const isRequired = !SchemaAST.isOptional(type)
  const isList = takesList(type)
  return (raw: RawParameters): ReadonlyArray<Issues> => {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined
    if (value === undefined) return isRequired ? [issueAbout(name, "is required")] : []
    if (Result.isSuccess(decode(raw))) return []
    if (Array.isArray(value) && !isList) return [issueAbout(name, "may be given only once")]
    const plain = plainForm(value, (plain) => Result.isSuccess(decode({ [name]: plain })))
    return [issueAbout(name, `${sentence}${plain}${meantBy(value, words)}`)]
  }
}

/** Finds all issues of refused parameters, one by one. Unknown parameters are ignored (decision 3). */
export const parameterIssues = ({ ast }: Schema.Top) => {
  const readers = SchemaAST.isObjects(ast)
    ? ast.propertySignatures.map(({ name, type }) => memberReader(String(name), type))
    : []
  return (raw: RawParameters): Issues => combineIssues(readers.flatMap((read) => read(raw)))
}

/** Reads the parameters of a schema: as a whole, or the readable part with the issues of the rest. */
export interface Reader<Whole extends Part, Part> {
  readonly whole: (raw: RawParameters) => Option.Option<Whole>
  readonly part: (raw: RawParameters) => { readonly values: Part; readonly issues: Issues }
}

/** The schemas of parameters, none of which needs a service to be read. */
export type Fields = Readonly<Record<string, Schema.Codec<unknown, unknown>>>

/** The reader of the parameters of `schema`. A single value stands for a list of one, as in a query. */
export const readerOf = <F extends Fields>(schema: Schema.Struct<F>) => {
  const issuesOf = parameterIssues(schema)
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

/** Rules that make an order of parameters. `unreadable` names those that were given but could not be read. */
export type Rules<Part, A, R> = (
  values: Part,
  unreadable?: ReadonlyArray<string>,
) => Effect.Effect<Result.Result<A, Issues>, never, R>

/** Reads parameters and applies rules; fails with all issues: those `known`, of reading, of rules. */
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
