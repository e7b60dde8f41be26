import { Effect, Predicate, Result, Schema, SchemaIssue } from "effect"
import { MalformedBody } from "../../domain/ProviderError.ts"

/** Describes a value without revealing it: long or secret text must not get into messages. */
const describe = (input: unknown): string => {
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

/** A path as text, such as `[0].includedFees[2].amount`. */
const formatPath = (path: ReadonlyArray<unknown>): string =>
  path.reduce<string>((text, key) => {
    if (Predicate.isNumber(key)) return `${text}[${key}]`
    return text === "" ? `${key}` : `${text}.${key}`
  }, "")

const segments = (path: ReadonlyArray<unknown> | undefined): ReadonlyArray<unknown> =>
  (path ?? []).map((segment) => Predicate.hasProperty(segment, "key") ? segment.key : segment)

/** The first fault of a value: `[0].egressAmount: expected …, got …`. */
const describeIssue = (issue: SchemaIssue.Issue, at: ReadonlyArray<unknown>): string => {
  const [first] = format(issue).issues
  const path = formatPath([...at, ...segments(first?.path)])
  return `${path === "" ? "body" : path}: ${first?.message ?? "expected another value"}`
}

/**
 * Decodes a parsed body; unknown members are ignored. A value that does not fit becomes a `MalformedBody` that names
 * its path, with `at` in front, and never shows the body.
 */
export const decode = <A, I>(
  schema: Schema.Codec<A, I>,
  body: unknown,
  at: ReadonlyArray<string | number> = [],
): Result.Result<A, MalformedBody> =>
  Schema.decodeUnknownResult(schema, { reportInput: true })(body).pipe(
    Result.mapError(({ issue }) => new MalformedBody({ detail: describeIssue(issue, at), reached: true })),
  )

/** A value that was read, with a log line for each part that was left out or not understood. */
export interface Noticed {
  readonly notices: ReadonlyArray<string>
}

/** The value, after its notices were logged. */
export const logged = <A extends Noticed, E>(read: Result.Result<A, E>): Effect.Effect<A, E> =>
  Effect.tap(
    Effect.fromResult(read),
    ({ notices }) => Effect.forEach(notices, (notice) => Effect.logWarning(notice), { discard: true }),
  )
