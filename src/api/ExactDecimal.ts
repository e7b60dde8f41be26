import { BigDecimal, Effect, Option, Schema, SchemaGetter, SchemaIssue } from "effect"
import { formatDecimal } from "../domain/Decimal.ts"

declare global {
  interface JSON {
    /** JSON text that `JSON.stringify` writes as it stands; how a number keeps all its digits. */
    rawJSON(text: string): unknown
  }
}

/** The name of the component in the OpenAPI document, whose type `document` sets. */
export const exactDecimalIdentifier = "ExactDecimal"

/**
 * A JSON number that is written as an exact decimal: no exponent, no trailing zeros, no rounding to a
 * double (decision 19). A client that parses it as a double loses digits; the `…Native` twin does not.
 */
export const ExactDecimal = Schema.Unknown.pipe(
  Schema.decodeTo(Schema.BigDecimal, {
    decode: SchemaGetter.transformEffect((json, options) =>
      Option.match(typeof json === "number" ? BigDecimal.fromNumber(json) : Option.none(), {
        onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ expected: "a JSON number" }, json, options)),
        onSome: Effect.succeed,
      })
    ),
    encode: SchemaGetter.transform((decimal) => JSON.rawJSON(formatDecimal(decimal))),
  }),
)
