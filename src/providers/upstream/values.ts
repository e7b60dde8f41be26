import { BigDecimal, Option, Predicate, Schema, SchemaGetter } from "effect"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { Bps, mostBps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import { EpochMillis, longestSwapMillis } from "#domain/Time.ts"

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
