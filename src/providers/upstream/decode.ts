import { Effect, Option, Predicate, Result, Schema, SchemaIssue } from "effect"
import { MalformedBody } from "#domain/ProviderError.ts"
import { currentWitness, type Misfit, type Path } from "./witness.ts"

/** Describes a value without revealing it: long or secret text must not get into messages. */
const describe = (input: unknown): string => {
  if (input === undefined) return "nothing"
  if (input === null || Predicate.isBoolean(input) || Predicate.isNumber(input)) return `${input}`
  if (Predicate.isString(input)) {
    return /^[\w/.-]{1,20}$/.test(input) ? `"${input}"` : `text of ${input.length} characters`
  }
  return Array.isArray(input) ? "an array" : "an object"
}

const found = (issue: SchemaIssue.Issue): string =>
  SchemaIssue.hasInput(issue) ? `, got ${describe(issue.input)}` : ""

/** Formats issues without input, and gets no others, because the standard formatter prints whole inputs. */
const withoutInput = SchemaIssue.makeFormatterStandardSchemaV1()

const leafHook: SchemaIssue.LeafHook = (issue) => {
  if (issue._tag === "MissingKey") return "expected a value, got nothing"
  if (issue._tag === "InvalidType") {
    const [expected] = withoutInput(new SchemaIssue.InvalidType(issue.ast)).issues
    return `${lowerFirst(expected?.message ?? "expected another type")}${found(issue)}`
  }
  if (issue._tag === "InvalidValue") {
    return `expected ${issue.annotations?.expected ?? "another value"}${found(issue)}`
  }
  return "expected another value"
}

/** The message of a failed check. A check without an expectation of its own leaves it to the issue inside. */
const checkHook: SchemaIssue.CheckHook = (issue) => {
  const expected = issue.filter.annotations?.expected
  if (expected !== undefined) return `expected ${expected}${found(issue)}`
  return issue.issue._tag === "InvalidValue" ? leafHook(issue.issue) : undefined
}

const lowerFirst = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook, checkHook })

/** A path as text, such as `[0].includedFees[2].amount`; `body` where it leads nowhere. */
export const formatPath = (path: Path): string =>
  path.reduce<string>((text, key) => {
    if (Predicate.isNumber(key)) return `${text}[${key}]`
    return text === "" ? key : `${text}.${key}`
  }, "") || "body"

const keyOf = (segment: unknown): string | number => {
  const key = Predicate.hasProperty(segment, "key") ? segment.key : segment
  return Predicate.isNumber(key) ? key : `${key}`
}

/** The faults of a value that stands at `at` in its body. */
const misfitsOf = (issue: SchemaIssue.Issue, at: Path): ReadonlyArray<Misfit> =>
  format(issue).issues.map(({ message, path = [] }) => ({
    path: [...at, ...path.map(keyOf)],
    detail: message ?? "expected another value",
  }))

/** The first fault of a value: `[0].egressAmount: expected …, got …`. */
const describeIssue = (issue: SchemaIssue.Issue, at: Path): string => {
  const [{ detail, path } = { detail: "expected another value", path: at }] = misfitsOf(issue, at)
  return `${formatPath(path)}: ${detail}`
}

/** An answer that is refused; `detail` says `path: expected …, got …`. */
export const malformed = (detail: string): Result.Result<never, MalformedBody> =>
  Result.fail(new MalformedBody({ detail, reached: true }))

/** In a value with more parts only the first fault is looked for: each of them could have some. */
const mostParts = 20_000

const hasManyParts = (value: unknown): boolean => {
  const left = [value]
  for (let seen = 0; seen < mostParts; seen++) {
    if (left.length === 0) return false
    const part = left.pop()
    if (Predicate.isObjectOrArray(part)) {
      const inside: ReadonlyArray<unknown> = Object.values(part)
      if (inside.length > mostParts) return true
      left.push(...inside)
    }
  }
  return true
}

/** Shows a value to who watches, with all of its faults. */
const witnessed = (schema: Schema.Codec<unknown, unknown>, value: unknown, at: Path): void => {
  const witness = currentWitness()
  if (witness === undefined) return
  const errors = hasManyParts(value) ? "first" : "all"
  const read = Schema.decodeUnknownResult(schema, { errors, reportInput: true })(value)
  const misfits = Result.isFailure(read) ? misfitsOf(read.failure.issue, at) : []
  witness.read({ schema: schema.ast, at, value, misfits })
}

/** Decodes a parsed body, ignoring unknown members. A `MalformedBody` names the path (after `at`), never the body. */
export const decode = <A, I>(
  schema: Schema.Codec<A, I>,
  body: unknown,
  at: Path = [],
): Result.Result<A, MalformedBody> => {
  witnessed(schema, body, at)
  return Schema.decodeUnknownResult(schema, { reportInput: true })(body).pipe(
    Result.orElse(({ issue }) => malformed(describeIssue(issue, at))),
  )
}

/** The JSON of a text, where it is of this form: answers that are failures have a form in some places only. */
export const decodeText = <A, I>(schema: Schema.Codec<A, I>, text: string): Option.Option<A> =>
  Result.try((): unknown => JSON.parse(text)).pipe(
    Result.getSuccess,
    Option.flatMap((body) => Result.getSuccess(decode(schema, body))),
  )

/** A value that was read, with a log line for each part that was left out or not understood. */
export interface Noticed {
  readonly notices: ReadonlyArray<string>
  /** Lines about what contradicts our own facts, which somebody has to look into: errors in the log. */
  readonly contradictions?: ReadonlyArray<string>
}

export const logged = <A extends Noticed, E>(read: Result.Result<A, E>): Effect.Effect<A, E> =>
  Effect.tap(
    Effect.fromResult(read),
    ({ contradictions = [], notices }) =>
      Effect.andThen(
        Effect.forEach(contradictions, (line) => Effect.logError(line), { discard: true }),
        Effect.forEach(notices, (notice) => Effect.logWarning(notice), { discard: true }),
      ),
  )
