import { Predicate, Struct } from "effect"
import { exactDecimalIdentifier } from "../shape.ts"
import { mapMembers, type Members } from "./json.ts"

/** Whether a name in the derived document is internal to the library. */
const isInside = (name: string): boolean => name.startsWith("x-effect-")

const exactDecimalReference = { $ref: `#/components/schemas/${exactDecimalIdentifier}` }

/** Examples as numbers, where they were written as text. */
const numberExamples = (schema: Members): Members =>
  (schema.type === "integer" || schema.type === "number") && Array.isArray(schema.examples)
    ? { ...schema, examples: schema.examples.map(Number) }
    : schema

/** The value's schema: a parameter travels as text but has its check's meaning, so one schema is enough. */
const meaning = (schema: Members): Members => {
  const { allOf, ...text } = schema
  if (!Array.isArray(allOf) || !allOf.every(Predicate.isObject)) return schema
  return numberExamples(Object.assign(text, ...allOf))
}

/** Replaces a choice with a single alternative by that alternative. */
const withoutChoice = (schema: Members): Members => {
  const { anyOf, ...others } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 1 || !Predicate.isObject(anyOf[0])) return schema
  return { ...anyOf[0], ...others }
}

/** Removes the bounds of a double: every whole number has them, and they would look like bounds of ours. */
const withoutDoublesBounds = (schema: Members): Members => {
  const { minimum, maximum, ...others } = schema
  return minimum === Number.MIN_SAFE_INTEGER && maximum === Number.MAX_SAFE_INTEGER ? others : schema
}

/** Adds empty `items` to a list of anything, as linters take a list without items for a mistake. */
const withItems = (schema: Members): Members =>
  schema.type === "array" && !("items" in schema) && !("prefixItems" in schema)
    ? { ...schema, items: {} }
    : schema

/** Removes patterns with classes of Unicode: many validators do not set the flag that these need. */
const withoutClasses = (schema: Members): Members => {
  const { pattern, ...others } = schema
  return typeof pattern === "string" && pattern.includes("\\p{") ? others : schema
}

const tidySchema = (schema: Members): Members =>
  withItems(withoutClasses(withoutDoublesBounds(withoutChoice(meaning(schema)))))

/** Whether a schema says nothing but what its value is for. */
const isUntyped = (schema: unknown): schema is Members =>
  Predicate.isObject(schema) && Object.keys(schema).every((name) => name === "description")

const tidyProperties = (properties: unknown): unknown =>
  Predicate.isObject(properties)
    ? mapMembers(
      // A tag tells members of a union apart inside the house: no body has one.
      Struct.omit(properties, ["_tag"]),
      (schema) => isUntyped(schema) ? { ...exactDecimalReference, ...schema } : tidy(schema),
    )
    : properties

/** The library's forms as OpenAPI's: exact decimals get a type, and further members are allowed. */
export const tidy = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(tidy)
  if (!Predicate.isObject(json)) return json
  return tidySchema(Object.fromEntries(
    Object.entries(json)
      .filter(([name, value]) => !isInside(name) && !(name === "additionalProperties" && value === false))
      .map(([name, value]) => [name, name === "properties" ? tidyProperties(value) : tidy(value)]),
  ))
}

const place = "#/components/schemas/"

/** The meaning of a schema: its text without the description, which a second use of it may have of its own. */
const meaningOf = (schema: unknown): string => {
  if (!Predicate.isObject(schema)) return JSON.stringify(schema)
  const { description: _, ...others } = schema
  return JSON.stringify(others)
}

/** The suffix of a schema's second use, or of an error's encoded form. */
const derived = /(?:Encoded|_[0-9]+)$/

/** The component's name in our code, unless a component with another meaning has that name. */
const nameOf = (schemas: Members, name: string): string => {
  const plain = name.replace(derived, "")
  return !(plain in schemas) || meaningOf(schemas[plain]) === meaningOf(schemas[name]) ? plain : name
}

const redirect = (json: unknown, names: ReadonlyMap<string, string>): unknown => {
  if (Array.isArray(json)) return json.map((one) => redirect(one, names))
  if (Predicate.isObject(json)) return mapMembers(json, (member) => redirect(member, names))
  return typeof json === "string" && json.startsWith(place)
    ? `${place}${names.get(json.slice(place.length)) ?? json.slice(place.length)}`
    : json
}

/** Renames components as in our code, each once: generators turn them into classes. */
export const renameComponents = (document: Members): Members => {
  const components = Predicate.isObject(document.components) ? document.components : {}
  const schemas = Predicate.isObject(components.schemas) ? components.schemas : {}
  const names = new Map(Object.keys(schemas).map((name) => [name, nameOf(schemas, name)]))
  // The plain name comes last, so that its own description stays.
  const kept = Object.entries(schemas).toSorted(([one], [other]) => other.length - one.length)
  const renamed = Object.fromEntries(kept.map(([name, schema]) => [names.get(name) ?? name, schema]))
  const whole = redirect({ ...document, components: { ...components, schemas: renamed } }, names)
  return Predicate.isObject(whole) ? whole : document
}
