import { Predicate, Schema } from "effect"
import { mapMembers } from "../api/document/json.ts"
import { tidy } from "../api/document/tidy.ts"
import { descriptionOf } from "../api/document/vocabulary.ts"
import { exactDecimalIdentifier } from "../api/shape.ts"

declare global {
  interface JSON {
    /** Whether a value is JSON text that `JSON.stringify` writes as it is. */
    isRawJSON(value: unknown): value is { readonly rawJSON: string }
  }
}

/** A value as tools give and take it: JSON in which every amount is text, so that no client rounds one. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** A body of the contract as JSON: its exact decimals become text. Members that are absent stay absent. */
export const toJson = (encoded: unknown): Json => {
  if (typeof encoded === "string" || typeof encoded === "number" || typeof encoded === "boolean") {
    return encoded
  }
  if (JSON.isRawJSON(encoded)) return encoded.rawJSON
  if (Array.isArray(encoded)) return encoded.map(toJson)
  return Predicate.isObject(encoded) ? toMembers(encoded) : null
}

/** The members of a body of the contract, as JSON. */
export const toMembers = (encoded: unknown): { readonly [name: string]: Json } =>
  Predicate.isObject(encoded) && !Array.isArray(encoded)
    ? Object.fromEntries(
      Object.entries(encoded).filter(([, member]) => member !== undefined)
        .map(([name, member]) => [name, toJson(member)]),
    )
    : {}

/** The form of a decimal in text. */
const decimalText = { type: "string", pattern: "^[0-9]+(\\.[0-9]+)?$" }

const isDecimalReference = ({ $ref }: Readonly<Record<string, unknown>>): boolean =>
  typeof $ref === "string" && $ref.endsWith(`/${exactDecimalIdentifier}`)

/** Numbers with a fraction are text here; whole numbers stay numbers. */
const decimalsAsText = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(decimalsAsText)
  if (!Predicate.isObject(schema)) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, decimalsAsText(member)]),
  )
  if (inner.type !== "number" && !isDecimalReference(inner)) return inner
  const { description, examples } = inner
  return {
    ...decimalText,
    ...(description === undefined ? {} : { description }),
    ...(Array.isArray(examples) ? { examples: examples.map(String) } : {}),
  }
}

/** Describes decimals that do not say themselves what they are, by their names. */
const describeDecimals = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(describeDecimals)
  const describe = (member: unknown, name: string): unknown => {
    if (!Predicate.isObject(member) || member.pattern !== decimalText.pattern || "description" in member) {
      return describeDecimals(member)
    }
    const description = descriptionOf(undefined, name)
    return description === undefined ? member : { ...member, description }
  }
  return mapMembers(
    schema,
    (member, key) => key === "properties" ? mapMembers(member, describe) : describeDecimals(member),
  )
}

/** The JSON Schema of arguments or of an answer, in itself complete. Its root is an object. */
export const jsonSchemaOf = (
  schema: Schema.Constraint,
): { readonly type: "object" } & Record<string, unknown> => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  const whole = Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }
  const derived = describeDecimals(decimalsAsText(tidy(whole)))
  return { ...(Predicate.isObject(derived) ? derived : {}), type: "object" }
}

const withoutExamples = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutExamples)
  if (!Predicate.isObject(schema)) return schema
  const { examples: _, ...others } = schema
  return mapMembers(
    others,
    (member, key) => key === "properties" ? mapMembers(member, withoutExamples) : withoutExamples(member),
  )
}

/** The JSON Schema of arguments. It has no examples: a model that lacks an address or a price would take one for it. */
export const inputSchemaOf = (schema: Schema.Constraint) => {
  const { type, ...others } = jsonSchemaOf(schema)
  return { type, ...toMembers(withoutExamples(others)) }
}

/** The most values that an answer's schema lists: a longer list is of names that the answer itself tells. */
const mostListed = 9

/** Limits of values, which only who writes them has to know. */
const limits: ReadonlySet<string> = new Set([
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "minLength",
  "additionalProperties",
])

const withoutLimits = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutLimits)
  if (!Predicate.isObject(schema)) return schema
  const left = Object.fromEntries(
    Object.entries(schema).filter(([name, member]) =>
      !limits.has(name) && !(name === "enum" && Array.isArray(member) && member.length > mostListed)
    ),
  )
  return mapMembers(
    left,
    (member, key) => key === "properties" ? mapMembers(member, withoutLimits) : withoutLimits(member),
  )
}

/** The JSON Schema of an answer, in as few words as a model needs to read one. */
export const outputSchemaOf = (schema: Schema.Constraint) => {
  const { type, ...others } = jsonSchemaOf(schema)
  return { type, ...toMembers(withoutLimits(others)) }
}
