import { BigDecimal, Effect, type JsonSchema, Option, Schema, SchemaGetter, SchemaIssue } from "effect"
import { type AssetId, assetIds } from "#domain/chains/Asset.ts"
import { formatDecimal, parseDecimal } from "#domain/money/Decimal.ts"
import { isReadable } from "#domain/readable.ts"
import { lastMillis } from "#domain/Time.ts"

/** The documentation of a request parameter, and the sentence about an invalid value. */
interface Documentation {
  readonly description: string
  readonly example: string
  /** The JSON Schema of the value; absent: text. */
  readonly jsonSchema?: JsonSchema.JsonSchema
  /** The issue of an invalid value, which continues "…" in the `errors` of a 400: what is expected, in words. */
  readonly issue: string
}

/** A parameter: documented text, decoded to its meaning in the contract. */
export const parameter = <S extends Schema.Top>(
  documentation: Documentation,
  target: S,
  parse: (text: string) => Option.Option<S["Encoded"]>,
) =>
  Schema.String.annotate({ description: documentation.description, examples: [documentation.example] }).check(
    Schema.makeFilter<string>(() => true, { toJsonSchema: () => documentation.jsonSchema ?? {} }),
  ).pipe(
    Schema.decodeTo(target, {
      decode: SchemaGetter.transformEffect((text, options) =>
        Option.match(parse(text), {
          onNone: () =>
            Effect.fail(new SchemaIssue.InvalidValue({ message: documentation.issue }, text, options)),
          onSome: Effect.succeed,
        })
      ),
      encode: SchemaGetter.transform((value) =>
        BigDecimal.isBigDecimal(value) ? formatDecimal(value) : String(value)
      ),
    }),
    Schema.annotate({ message: documentation.issue }),
  )

/** Decimal text of a value that is `allowed`; never through a double (decision 2). */
export const decimal = (
  { allowed, ...documentation }: Documentation & {
    readonly allowed: (value: BigDecimal.BigDecimal) => boolean
  },
) =>
  parameter(
    { jsonSchema: { type: "number", minimum: 0 }, ...documentation },
    Schema.BigDecimal,
    (text) => text.length > 200 ? Option.none() : Option.filter(parseDecimal(text), allowed),
  )

export const integer = (
  { within: [minimum, maximum], ...documentation }: Omit<Documentation, "jsonSchema"> & {
    readonly within: readonly [minimum: number, maximum: number]
  },
) =>
  parameter(
    { ...documentation, jsonSchema: { type: "integer", minimum, maximum } },
    Schema.Int.check(Schema.isBetween({ minimum, maximum })),
    (text) => /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Option.some(Number(text)) : Option.none(),
  )

export const rowLimit = (rows: string, { most, usual }: { readonly most: number; readonly usual: number }) =>
  integer({
    description: `How many ${rows}, at most ${most}; ${usual} when absent.`,
    example: `${usual}`,
    issue: `must be a whole number from 1 to ${most}`,
    within: [1, most],
  })

export const firstRow = (row: string, { example = "100", goes = "down" } = {}) =>
  integer({
    description: `Id of the ${row} to start from, itself included; goes ${goes} from there.`,
    example,
    issue: `must be the id of ${/^[aeiou]/.test(row) ? "an" : "a"} ${row}`,
    within: [1, Number.MAX_SAFE_INTEGER],
  })

/** A moment, as digits. */
export const time = (description: string, example = "1785333600000") =>
  integer({
    description,
    example,
    issue: "must be a time in milliseconds since 1970",
    within: [0, lastMillis],
  })

export const knownAsset = Schema.Literals(assetIds()).annotate({
  message: "must be an asset listed in /assets",
})

export const asset = (description: string, example: AssetId) =>
  knownAsset.annotate({ description, examples: [example] })

/** Text without control characters: no name or address has them, and no database takes them. */
const printable = /^[^\p{Cc}\p{Cs}]{1,256}$/u

/** Any text without control characters, up to 256 characters. */
export const text = (documentation: Documentation) =>
  parameter(
    documentation,
    Schema.NonEmptyString,
    (value) => printable.test(value) ? Option.some(value) : Option.none(),
  )

/** The annotation of text that is kept and shown to others: it must not hold an API key (decision 1). */
export const isKept = "isKept"

/** Words of the operator: without invisible characters and without spaces around them. */
export const note = (description: string, longest: number) =>
  Schema.String
    .check(
      Schema.makeFilter(isReadable),
      Schema.isTrimmed(),
      Schema.isMinLength(1),
      Schema.isMaxLength(longest),
    )
    .annotate({
      description,
      [isKept]: true,
      message:
        `must be text of 1 to ${longest} characters that can be seen, without control, direction, zero-width or ` +
        "filler characters, and without spaces around it",
    })
