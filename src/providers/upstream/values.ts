import { BigDecimal, Effect, Option, Predicate, Result, Schema, SchemaGetter, SchemaIssue } from "effect"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { Bps, mostBps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import { EpochMillis, longestSwapMillis } from "#domain/Time.ts"
import { MalformedBody } from "#domain/ProviderError.ts"
import { currentWitness, type Misfit, type Path } from "./witness.ts"

// As many digits as 256 bits need and no more: the time to read digits grows with the square of their number.
const decimalDigits = /^[0-9]{1,78}$/
const hexDigits = /^0x[0-9a-f]{1,64}$/i
const isoTime = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,18}(?:Z|[+-][0-9]{2}:?[0-9]{2})$/
// As many places as a price of 256 bits can need; exponents of three digits are refused.
const decimalText = /^[0-9]{1,78}(?:\.[0-9]{1,160})?(?:e[+-]?[0-9]{1,2})?$/i

export type WrittenNumber = string | number

/** A wire value, checked now and read later by a total function: checks are many times as fast as transforms. */
const written = (expected: string, is: (input: WrittenNumber) => boolean) =>
  Schema.Unknown.pipe(Schema.refine(
    (input): input is WrittenNumber => (Predicate.isString(input) || Predicate.isNumber(input)) && is(input),
    { expected },
  ))

/** A codec for a written value that also reads it. */
const reading = <From, To extends Schema.Constraint>(
  from: Schema.Codec<From, unknown>,
  to: To,
  read: (input: From) => To["Type"],
) =>
  from.pipe(Schema.decodeTo(Schema.toType(to), {
    decode: SchemaGetter.transform(read),
    encode: SchemaGetter.forbiddenEncoding,
  }))

/** No checks, as the written form was checked. */
const unchecked = { disableChecks: true }

/** JSON number, `0x` hex or digits (chainflip/wire.md 1.1). A number above 2^53 − 1 may have lost digits: refused. */
const isWhole = (input: WrittenNumber): boolean =>
  Predicate.isNumber(input)
    ? Number.isSafeInteger(input) && input >= 0
    : decimalDigits.test(input) || hexDigits.test(input)

const isSafe = (input: WrittenNumber): boolean =>
  isWhole(input) && BigInt(input) <= BigInt(Number.MAX_SAFE_INTEGER)

/** An amount in native units. */
export const WrittenAmount = written(
  "an amount (safe integer, 0x hex or digits)",
  (input) => isWhole(input) && BigInt(input) <= maximumNativeAmount,
)
export const readAmount = (amount: WrittenNumber): NativeAmount =>
  NativeAmount.make(BigInt(amount), unchecked)
export const Amount = reading(WrittenAmount, NativeAmount, readAmount)

export const WrittenCount = written("a count (safe integer, 0x hex or digits)", isSafe)
export const readCount = (count: WrittenNumber): number => Number(count)
export const Count = reading(WrittenCount, Schema.Int, readCount)

/** Basis points, as a number or as text (chainflip/wire.md 3.7, `brokers`). */
export const WrittenBasisPoints = written(
  "basis points (0 to 10000)",
  (input) => isSafe(input) && Number(input) <= mostBps,
)
export const readBasisPoints = (bps: WrittenNumber): Bps => Bps.make(Number(bps), unchecked)
export const BasisPoints = reading(WrittenBasisPoints, Bps, readBasisPoints)

export const Millis = Count.pipe(Schema.decodeTo(EpochMillis))

/** ISO 8601 text, as milliseconds since the epoch. */
export const IsoTime = reading(
  written(
    "an ISO 8601 time",
    (input) =>
      Predicate.isString(input) && isoTime.test(input) &&
      EpochMillis.makeOption(Date.parse(input))._tag === "Some",
  ),
  EpochMillis,
  (time) => EpochMillis.make(Date.parse(`${time}`), unchecked),
)

/** Seconds, which can be fractional (chainflip/wire.md 3.3). */
export const WrittenSeconds = written(
  "seconds (0 to 30 days)",
  (input) =>
    (Predicate.isNumber(input) || isDecimal(input)) && Number(input) >= 0 &&
    Number(input) <= longestSwapMillis / 1_000,
)
export const Seconds = reading(WrittenSeconds, Schema.Finite, (seconds) => Math.round(Number(seconds) * 1000))

const isDecimal = (input: WrittenNumber): boolean => decimalText.test(`${input}`)

/** Shown seconds as milliseconds within bounds (decision 62); undefined where they cannot be read. */
export const shownMillis = (seconds: unknown): number | undefined => {
  const isSigned = Predicate.isString(seconds) && isDecimal(seconds.replace(/^-/, ""))
  const read = Predicate.isNumber(seconds) || isSigned ? Number(seconds) : NaN
  return Number.isNaN(read)
    ? undefined
    : Math.round(Math.min(Math.max(0, read), longestSwapMillis / 1_000) * 1_000)
}

/** What a duration counts as that is needed and cannot be read: nobody may take it for a fast one. */
const unknownDuration = 3_600_000

/** Shown seconds that are needed. */
export const readSeconds = (seconds: unknown): number => shownMillis(seconds) ?? unknownDuration

const shown = Schema.optionalKey(Schema.Unknown)

/** A member of shown seconds; the decoded value lacks it where it cannot be read. */
export const ShownSeconds = shown.pipe(Schema.decodeTo(Schema.optionalKey(Schema.Finite), {
  decode: SchemaGetter.transformOptional(
    Option.flatMap((seconds) => Option.fromUndefinedOr(shownMillis(seconds))),
  ),
  encode: SchemaGetter.forbiddenEncoding,
}))

/** The same where it is needed. */
export const NeededSeconds = shown.pipe(Schema.decodeTo(Schema.Finite, {
  decode: SchemaGetter.transformOptional((seconds) =>
    Option.some(readSeconds(Option.getOrUndefined(seconds)))
  ),
  encode: SchemaGetter.forbiddenEncoding,
}))

/** A number with few digits, such as a percentage: JSON number or decimal text. */
export const WrittenDecimal = written("a decimal number", isDecimal)
export const readDecimal = (decimal: WrittenNumber): BigDecimal.BigDecimal =>
  BigDecimal.fromStringUnsafe(`${decimal}`)
export const Decimal = reading(WrittenDecimal, Schema.BigDecimal, readDecimal)

/** A price. Only text carries all its digits, so a JSON number is accepted only if it is a safe integer. */
export const WrittenPrice = written(
  "a price as decimal text",
  (input) => isDecimal(input) && (Predicate.isString(input) || isWhole(input)),
)
export const readPrice = (price: WrittenNumber): Price => Price.make(readDecimal(price), unchecked)
export const WirePrice = reading(WrittenPrice, Price, readPrice)

/** Text, or a whole number that stands for text and has lost no digits. */
export const Text = reading(
  written("text", (input) => Predicate.isString(input) || Number.isSafeInteger(input)),
  Schema.String,
  (input) => `${input}`,
)

export const writtenMaybe = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema))

/** A member that may be missing or null; the decoded value lacks it either way. */
export const maybe = <S extends Schema.Constraint>(schema: S) =>
  writtenMaybe(schema).pipe(Schema.decodeTo(Schema.optionalKey(Schema.toType(schema)), {
    decode: SchemaGetter.transformOptional(Option.filter((value) => value !== null)),
    encode: SchemaGetter.forbiddenEncoding,
  }))

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
