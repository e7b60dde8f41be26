import { Predicate, Schema } from "effect"
import { tidy } from "#api/document/document.ts"
import { exactDecimalIdentifier } from "#api/shape.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"

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

export const toMembers = (encoded: unknown): { readonly [name: string]: Json } =>
  Predicate.isObject(encoded) && !Array.isArray(encoded)
    ? Object.fromEntries(
      Object.entries(encoded).filter(([, member]) => member !== undefined)
        .map(([name, member]) => [name, toJson(member)]),
    )
    : {}

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
  return { type: "string", ...defined({ description: inner.description }) }
}

/** The JSON Schema of arguments or of an answer, in itself complete. Its root is an object. */
export const jsonSchemaOf = (
  schema: Schema.Constraint,
): { readonly type: "object" } & Record<string, unknown> => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  const whole = Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }
  const derived = decimalsAsText(tidy(whole))
  return { ...(Predicate.isObject(derived) ? derived : {}), type: "object" }
}
