import { Predicate } from "effect"
import { mapMembers, type Members } from "./json.ts"

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
