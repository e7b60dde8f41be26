import { Predicate, Struct } from "effect"
import { testType } from "#domain/accounts/Webhook.ts"
import { mapMembers, mapOperations, type Members } from "./json.ts"
import { componentsOf, shared, shortest, withComponents } from "./shared.ts"

/** A parameter with its example in its schema alone, where pages have one that they can switch on and off. */
const exampleInSchema = (parameter: unknown): unknown => {
  if (!Predicate.isObject(parameter) || !Predicate.isObject(parameter.schema)) return parameter
  const { examples, ...others } = parameter
  const values = Object.values(Predicate.isObject(examples) ? examples : {}).filter(Predicate.isObject)
  return { ...others, schema: { ...parameter.schema, examples: values.map(({ value }) => value) } }
}

/** An operation without its sample, and without the security that all have which name none. */
const forPrograms = (security: unknown) => (operation: Members): Members => ({
  ...Struct.omit(operation, ["x-codeSamples", "security"]),
  ...(JSON.stringify(operation.security) === JSON.stringify(security)
    ? {}
    : { security: operation.security }),
  ...(Array.isArray(operation.parameters) ? { parameters: operation.parameters.map(exampleInSchema) } : {}),
})

const withoutExamples = (json: unknown): unknown =>
  mapMembers(Predicate.isObject(json) ? Struct.omit(json, ["examples"]) : json, withoutExamples)

/** The bodies among schemas by name, the largest first. */
const bodiesIn = (schemas: Members) =>
  Object.entries(schemas).flatMap(([name, schema]) => {
    if (!Predicate.isObject(schema) || !Predicate.isObject(schema.properties)) return []
    const { properties, required } = schema
    const size = JSON.stringify(properties).length
    return [{ name, schema, properties, required: Array.isArray(required) ? required : [], size }]
  }).toSorted((one, other) => other.size - one.size)

type Body = ReturnType<typeof bodiesIn>[number]

/** Whether a body has all members of another, and more. */
const isExtension = ({ properties, required, size }: Body, base: Body): boolean =>
  base.size > shortest && base.size < size && base.required.every((name) => required.includes(name)) &&
  Object.entries(base.properties).every(([name, one]) =>
    JSON.stringify(one) === JSON.stringify(properties[name])
  )

/** The bodies that have all members of another, made of the largest such one and their own. */
const extensions = (bodies: ReadonlyArray<Body>): Members =>
  Object.fromEntries(bodies.flatMap((body) => {
    const base = bodies.find((one) => isExtension(body, one))
    if (base === undefined) return []
    const required = body.required.filter((name) => !base.required.includes(name))
    const properties = Struct.omit(body.properties, Object.keys(base.properties))
    const own = { type: "object", properties, ...(required.length > 0 ? { required } : {}) }
    const others = Struct.omit(body.schema, ["type", "properties", "required"])
    return [[body.name, { ...others, allOf: [{ $ref: `#/components/schemas/${base.name}` }, own] }]]
  }))

/** The types of messages whose bodies are shown: those of the others differ in the state alone. */
const shown: ReadonlySet<string> = new Set(["swap.completed", testType])

/** The document as programs get it: without what pages alone show, and a schema that extends another says so. */
export const sent = (document: Members): Members => {
  const security = Object.keys(componentsOf(document, "securitySchemes")).map((name) => ({ [name]: [] }))
  const short = shared({
    ...document,
    security,
    paths: mapOperations(document.paths, forPrograms(security)),
    webhooks: mapMembers(document.webhooks, (one, type) => shown.has(type) ? one : withoutExamples(one)),
  })
  return withComponents(short, "schemas", extensions(bodiesIn(componentsOf(short, "schemas"))))
}
