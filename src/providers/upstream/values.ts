import { BigDecimal, DateTime, Effect, Option, Predicate, Schema, SchemaGetter, SchemaIssue } from "effect"
import { NativeAmount } from "../../domain/Amount.ts"
import { Bps } from "../../domain/Bps.ts"
import { Price } from "../../domain/Price.ts"
import { EpochMillis } from "../../domain/Time.ts"

// As long as 256 bits need and no longer: reading digits takes time with the square of their number.
const decimalDigits = /^[0-9]{1,78}$/
const hexDigits = /^0x[0-9a-f]{1,64}$/i
const isoTime = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,18}(?:Z|[+-][0-9]{2}:?[0-9]{2})$/
const decimalText = /^[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?$/i

/**
 * The whole number that is written as a JSON number, `0x` hex or decimal digits (chainflip.md 1.1). A JSON
 * number above 2^53 − 1 may have lost digits already, so it is none.
 */
const parseWhole = (input: unknown): Option.Option<bigint> => {
  if (Predicate.isNumber(input)) {
    return Number.isSafeInteger(input) && input >= 0 ? Option.some(BigInt(input)) : Option.none()
  }
  return Predicate.isString(input) && (decimalDigits.test(input) || hexDigits.test(input))
    ? Option.some(BigInt(input))
    : Option.none()
}

/** A value that the wire writes in several ways: whatever `parse` gives, checked by `to`. */
const parsed = <To extends Schema.Constraint>(
  to: To,
  expected: string,
  parse: (input: unknown) => Option.Option<To["Encoded"]>,
) =>
  Schema.Unknown.pipe(Schema.decodeTo(to, {
    decode: SchemaGetter.transformEffect((input: unknown, options) =>
      Option.match(parse(input), {
        onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ expected }, input, options)),
        onSome: (value) => Effect.succeed(value),
      })
    ),
    encode: SchemaGetter.forbiddenEncoding,
  }))

const safeNumber = (whole: bigint): Option.Option<number> =>
  whole <= BigInt(Number.MAX_SAFE_INTEGER) ? Option.some(Number(whole)) : Option.none()

/** An amount in native units. */
export const Amount = parsed(NativeAmount, "an amount (safe integer, 0x hex or digits)", parseWhole)

/** A count or block number. */
export const Count = parsed(
  Schema.Int,
  "a count (safe integer, 0x hex or digits)",
  (input) => Option.flatMap(parseWhole(input), safeNumber),
)

/** Basis points, as a number or as text (chainflip.md 3.7, `brokers`). */
export const BasisPoints = Count.pipe(Schema.decodeTo(Bps))

/** Milliseconds since the epoch. */
export const Millis = Count.pipe(Schema.decodeTo(EpochMillis))

/** ISO 8601 text, as milliseconds since the epoch. */
export const IsoTime = parsed(
  EpochMillis,
  "an ISO 8601 time",
  (input) =>
    Predicate.isString(input) && isoTime.test(input)
      ? Option.map(DateTime.make(input), DateTime.toEpochMillis)
      : Option.none(),
)

/** Seconds, which can be fractional (chainflip.md 3.3), as whole milliseconds. */
export const Seconds = Schema.Finite.pipe(
  Schema.check(Schema.isGreaterThanOrEqualTo(0)),
  Schema.decodeTo(Schema.Finite, {
    decode: SchemaGetter.transform((seconds) => Math.round(seconds * 1000)),
    encode: SchemaGetter.forbiddenEncoding,
  }),
)

const parseDecimalText = (text: string): Option.Option<BigDecimal.BigDecimal> =>
  decimalText.test(text) ? BigDecimal.fromString(text) : Option.none()

/** A figure of few digits, such as a percentage: JSON number or decimal text. */
export const Decimal = parsed(
  Schema.BigDecimal,
  "a decimal number",
  (input) =>
    Predicate.isNumber(input) || Predicate.isString(input) ? parseDecimalText(`${input}`) : Option.none(),
)

/** A price. Only text carries all its digits; a JSON number is taken when it is a safe integer. */
export const WirePrice = parsed(
  Price,
  "a price as decimal text",
  (input) =>
    Predicate.isString(input)
      ? parseDecimalText(input)
      : Option.map(parseWhole(input), BigDecimal.fromBigInt),
)

/** Text, or a whole number that stands for it and has lost no digits. */
export const Text = parsed(
  Schema.String,
  "text",
  (input) =>
    Predicate.isString(input) || Number.isSafeInteger(input) ? Option.some(`${input}`) : Option.none(),
)

/** A member that may be missing or null; either way it is absent from the decoded value. */
export const maybe = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.toType(schema)), {
      decode: SchemaGetter.transformOptional(Option.filter((value) => value !== null)),
      encode: SchemaGetter.forbiddenEncoding,
    }),
  )
