import { type JsonSchema, Predicate } from "effect"
import { exactDecimalIdentifier } from "./ExactDecimal.ts"
import { withLimitHeaders } from "./limitHeaders.ts"

type Members = Readonly<Record<string, unknown>>

const exactDecimal: JsonSchema.JsonSchema = {
  type: "number",
  description:
    "Exact decimal: all digits, no exponent. Read it as text where digits matter, or use the native twin.",
}

const exactDecimalReference = { $ref: `#/components/schemas/${exactDecimalIdentifier}` }

/** Examples are written as text, also those of numbers. */
const numberExamples = (schema: Members): Members =>
  (schema.type === "integer" || schema.type === "number") && Array.isArray(schema.examples)
    ? { ...schema, examples: schema.examples.map(Number) }
    : schema

/** A parameter travels as text but means what its check says: one schema instead of two. */
const meaning = (schema: Members): Members => {
  const { allOf, ...text } = schema
  if (!Array.isArray(allOf) || !allOf.every(Predicate.isObject)) return schema
  return numberExamples(Object.assign(text, ...allOf))
}

/**
 * An exact decimal is the only schema that derives to nothing, as JSON has no such type. A member that we
 * may add later must not make an answer of today's document invalid.
 */
const amend = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(amend)
  if (!Predicate.isObject(json)) return json
  return meaning(
    Object.fromEntries(
      Object.entries(json)
        .filter(([name, value]) => !(name === "additionalProperties" && value === false))
        .map(([name, value]) => [name, name === "properties" ? amendProperties(value) : amend(value)]),
    ),
  )
}

const amendProperties = (properties: unknown): unknown =>
  Predicate.isObject(properties)
    ? Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        Predicate.isObject(schema) && Object.keys(schema).length === 0
          ? exactDecimalReference
          : amend(schema),
      ]),
    )
    : properties

/**
 * What the derived OpenAPI document cannot know of itself: exact decimals, parameters' types, openness, and the
 * headers of limits.
 */
export const document = (spec: Members): Record<string, unknown> => {
  const amended = amend(spec)
  if (
    !Predicate.isObject(amended) || !Predicate.isObject(amended.components) ||
    !Predicate.isObject(amended.components.schemas)
  ) {
    return { ...spec }
  }
  const schemas = { ...amended.components.schemas, [exactDecimalIdentifier]: exactDecimal }
  return withLimitHeaders({ ...amended, components: { ...amended.components, schemas } })
}

/** A body that may be left out, which the derived document calls required. */
export const optionalBody = (operation: Members): Record<string, unknown> => ({
  ...operation,
  ...(Predicate.isObject(operation.requestBody)
    ? { requestBody: { ...operation.requestBody, required: false } }
    : {}),
})
