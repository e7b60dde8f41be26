import { Duration, Option, Schema, SchemaGetter } from "effect"
import { forModes, type ModeText, optionalSetting, setting } from "./Setting.ts"

/** The kinds of values that settings of several rooms take. */

const plainNumber = /^-?[0-9]{1,15}(?:\.[0-9]{1,15})?$/

const numberFrom = <A extends number>(target: Schema.Codec<A, number>) =>
  Schema.String.check(Schema.isPattern(plainNumber)).pipe(
    Schema.decodeTo(Schema.FiniteFromString),
    Schema.decodeTo(target),
  )

export const integer = (minimum: number, maximum: number) =>
  numberFrom(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** The name of a setting, its default and its meaning. */
interface Named {
  readonly name: string
  readonly default: string
  readonly meaning: string
  readonly isTuning?: boolean
}

/** A setting with a number, whole or with decimals. */
export const numberBetween = (minimum: number, maximum: number, named: Named) =>
  setting({
    ...named,
    schema: numberFrom(Schema.Finite.check(Schema.isBetween({ minimum, maximum }))),
    expected: `a number from ${minimum} to ${maximum}`,
  })

/** A setting with a whole number. */
export const count = (
  minimum: number,
  maximum: number,
  { name, default: value, meaning }: Omit<Named, "default"> & { readonly default: number },
) =>
  setting({
    name,
    default: `${value}`,
    schema: integer(minimum, maximum),
    expected: `a number from ${minimum} to ${maximum}`,
    meaning,
  })

export const port = (named: Named) =>
  setting({ ...named, schema: integer(0, 65_535), expected: "a port from 0 to 65535" })

export const HttpUrl = Schema.URLFromString.check(
  Schema.makeFilter((url) => url.protocol === "http:" || url.protocol === "https:"),
)
export const anHttpUrl = "a URL that begins with http:// or https://"

/** The command that makes a key of 32 random bytes; `cli deploy key` makes one, too. */
export const makeKey = "openssl rand -base64 32"

/** Completes "NAME must be …" for such a key. */
export const aRandomKey = `32 random bytes in base64, as \`${makeKey}\` prints them`

/** A key of an upstream's. One of fewer characters would be hidden wherever they stand, and spoil answers. */
export const Secret = Schema.String.check(Schema.isMinLength(4))
export const aSecret = "at least four characters"

export const optionalUrl = (
  named: Omit<Named, "default"> & { readonly unset: ModeText },
) => optionalSetting({ ...named, schema: HttpUrl, expected: anHttpUrl })

const placeholder = /\{(?:issuedBlock|network|channelId|depositAddress)\}/g

/** A template of `explorerUrl` (decision 26). */
export const ExplorerUrl = Schema.NonEmptyString.check(
  Schema.makeFilter((template) => {
    const url = template.replaceAll(placeholder, "1")
    return URL.canParse(url) && /^https?:/.test(url) && !/[{}]/.test(url)
  }),
)

/** A duration as text; `0` needs no unit. */
const WrittenDuration = Schema.String.pipe(Schema.decodeTo(Schema.DurationFromString, {
  decode: SchemaGetter.transform((text) => text.trim() === "0" ? "0 millis" : text),
  encode: SchemaGetter.transform((text) => text),
}))

const oneHour = Duration.hours(1)

/** A duration within bounds, both included. */
export const between = (shortest: Duration.Duration, longest: Duration.Duration = oneHour) =>
  WrittenDuration.check(
    Schema.makeFilter((duration) =>
      Duration.isGreaterThanOrEqualTo(duration, shortest) &&
      Duration.isLessThanOrEqualTo(duration, longest)
    ),
  )

interface NamedDuration extends Omit<Named, "default"> {
  readonly default: ModeText
}

type DurationText = Extract<Duration.Input, string>

/** A setting with a duration within bounds, both included. */
export const durationWithin = (
  shortest: DurationText,
  longest: DurationText,
  named: NamedDuration,
  example = forModes(named.default).live,
) =>
  setting({
    ...named,
    schema: between(Duration.fromInputUnsafe(shortest), Duration.fromInputUnsafe(longest)),
    expected: `a duration from ${
      shortest.replace("millis", "millisecond")
    } to ${longest}, such as ${example}`,
  })

/** A setting with a duration from a millisecond to an hour. */
export const duration = (named: NamedDuration) => durationWithin("1 millis", "1 hour", named, "5 seconds")

/** A setting with a duration of at most an hour, or 0. */
export const durationOrNone = (named: NamedDuration) =>
  setting({
    ...named,
    schema: between(Duration.zero),
    expected: "a duration of at most 1 hour, such as 5 seconds, or 0",
  })

/** A list of at least one item, separated by commas. */
export const listOf = <A extends string>(item: Schema.Codec<A, string>) =>
  Schema.String.pipe(Schema.decodeTo(Schema.NonEmptyArray(item), {
    decode: SchemaGetter.transform((list) => {
      const [first = "", ...rest] = list.split(",").map((item) => item.trim())
      return [first, ...rest] as const
    }),
    encode: SchemaGetter.transform((items) => items.join(",")),
  }))

/** The items of a list separated by commas; none where one of them is invalid. */
export const itemsOf = <A>(
  list: string,
  itemOf: (text: string) => Option.Option<A>,
): Option.Option<Array<A>> =>
  Option.all(list.split(",").map((text) => text.trim()).filter((text) => text !== "").map(itemOf))
