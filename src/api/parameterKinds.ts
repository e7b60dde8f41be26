import { BigDecimal, Effect, type JsonSchema, Option, Schema, SchemaGetter, SchemaIssue } from "effect"
import { type AssetId, assetIds } from "../domain/Asset.ts"
import { parseDecimal } from "../domain/Decimal.ts"

/** How a request parameter is documented, and the sentence that answers a value which does not fit. */
interface Documentation {
  readonly description: string
  readonly example: string
  /** The JSON Schema of the value; text when absent. */
  readonly jsonSchema?: JsonSchema.JsonSchema
  /** Continues "…" in the `errors` of a 400: says what is expected, in words. */
  readonly issue: string
}

/** A parameter as it travels: text that is documented, decoded to what the contract means by it. */
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
      encode: SchemaGetter.transform(String),
    }),
    Schema.annotate({ message: documentation.issue }),
  )

/** Decimal text; never through a double (decision 2). */
export const decimal = (documentation: Documentation, allowed: (value: BigDecimal.BigDecimal) => boolean) =>
  parameter(
    { jsonSchema: { type: "number", minimum: 0 }, ...documentation },
    Schema.BigDecimal,
    (text) => text.length > 200 ? Option.none() : Option.filter(parseDecimal(text), allowed),
  )

const wholeNumber = /^(?:0|[1-9][0-9]{0,15})$/

/** A whole number within bounds, as digits. */
export const integer = (
  documentation: Documentation,
  bounds: { readonly minimum: number; readonly maximum: number },
) =>
  parameter(
    { ...documentation, jsonSchema: { type: "integer", ...bounds } },
    Schema.Int.check(Schema.isBetween(bounds)),
    (text) => wholeNumber.test(text) ? Option.some(Number(text)) : Option.none(),
  )

/** One of the known assets. */
export const asset = (description: string, example: AssetId) =>
  Schema.Literals(assetIds).annotate({
    description,
    examples: [example],
    message: `must be one of the known assets: ${assetIds.join(", ")}`,
  })

/** No control characters, which no name or address has and no database takes. */
const printable = /^[^\p{Cc}\p{Cs}]{1,256}$/u
/**
 * No characters that nobody sees, beside control characters: those that turn the direction of what follows, zero-width
 * ones and line separators. With them a text reads as another one to whoever lists it.
 */
const nothingHidden = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u

/** Any text without control characters, up to 256 characters. */
export const text = (documentation: Documentation) =>
  parameter(
    documentation,
    Schema.NonEmptyString,
    (value) => printable.test(value) ? Option.some(value) : Option.none(),
  )

/** Words of the operator: nothing hidden in them, no spaces around them. */
export const note = (description: string, longest: number) =>
  Schema.String
    .check(
      Schema.isTrimmed(),
      Schema.isMinLength(1),
      Schema.isMaxLength(longest),
      Schema.isPattern(nothingHidden),
    )
    .annotate({
      description,
      message: `must be text of 1 to ${longest} characters, without control, direction or zero-width ` +
        "characters, and without spaces around it",
    })
