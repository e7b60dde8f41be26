import { Predicate } from "effect"
import { exactDecimalIdentifier } from "../shape.ts"
import { mapMembers, type Members } from "./json.ts"

/** Names of the library's own in what it derives. */
const isInside = (name: string): boolean => name.startsWith("x-effect-")

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
  return allOf.some((one) => "$ref" in one) ? schema : numberExamples(Object.assign(text, ...allOf))
}

/** A choice of one is none. */
const withoutChoice = (schema: Members): Members => {
  const { anyOf, ...others } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 1 || !Predicate.isObject(anyOf[0])) return schema
  return { ...anyOf[0], ...others }
}

/** Every whole number is one that a double holds: to say that as a bound would look like a bound of ours. */
const withoutDoublesBounds = (schema: Members): Members => {
  const { minimum, maximum, ...others } = schema
  return minimum === Number.MIN_SAFE_INTEGER && maximum === Number.MAX_SAFE_INTEGER ? others : schema
}

/** A list of anything says so, as linters take one without items for a mistake. */
const withItems = (schema: Members): Members =>
  schema.type === "array" && !("items" in schema) && !("prefixItems" in schema)
    ? { ...schema, items: {} }
    : schema

/** Classes of Unicode need a flag that many validators do not set: they would refuse every text. */
const withoutClasses = (schema: Members): Members => {
  const { pattern, ...others } = schema
  return typeof pattern === "string" && pattern.includes("\\p{") ? others : schema
}

const tidySchema = (schema: Members): Members =>
  withItems(withoutClasses(withoutDoublesBounds(withoutChoice(meaning(schema)))))

const tidyProperties = (properties: unknown): unknown =>
  Predicate.isObject(properties)
    ? Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        Predicate.isObject(schema) && Object.keys(schema).length === 0 ? exactDecimalReference : tidy(schema),
      ]),
    )
    : properties

/**
 * What the derivation says in its own way, in that of OpenAPI. An exact decimal is the only schema that derives to
 * nothing, as JSON has no such type. A member that we may add later must not make an answer of today's document
 * invalid.
 */
export const tidy = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(tidy)
  if (!Predicate.isObject(json)) return json
  return tidySchema(
    Object.fromEntries(
      Object.entries(json)
        .filter(([name, value]) => !isInside(name) && !(name === "additionalProperties" && value === false))
        .map(([name, value]) => [name, name === "properties" ? tidyProperties(value) : tidy(value)]),
    ),
  )
}

const place = "#/components/schemas/"

/** Without its description, which is what a second use of the same schema may have of its own. */
const meaningOf = (schema: unknown): string => {
  if (!Predicate.isObject(schema)) return JSON.stringify(schema)
  const { description: _, ...others } = schema
  return JSON.stringify(others)
}

/** The derived name of a schema's second use, and of the form in which an error travels. */
const derived = /(?:Encoded|_[0-9]+)$/

/** The name that our code gives a component, where nothing else has it or it is the same thing. */
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

/** Components by the names that our code gives them, each once: generators make classes of them. */
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
