import { type JsonSchema, nameIn } from "#api/document/Contract.ts"
import type { Plan } from "./operations.ts"
import type { Shape } from "./typescript/json.ts"

/** The schema of human amounts and prices. */
export const decimalName = "ExactDecimal"

/** Whether a member is an amount in the smallest unit: the contract names them all alike. */
export const isNative = (name: string, { anyOf = [], type }: JsonSchema): boolean =>
  name.endsWith("Native") && [type, ...anyOf.map((one) => one.type)].includes("string")

const merged = (one: Shape | undefined, other: Shape | undefined): Shape | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  if (typeof one === "string" || typeof other === "string") {
    if (one === other) return one
    throw new Error(`A member is ${JSON.stringify(one)} here and ${JSON.stringify(other)} there`)
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...names].flatMap((name) => {
    const shape = merged(one[name], other[name])
    return shape === undefined ? [] : [[name, shape]]
  }))
}

/** Makes the shapes of schemas, of which only those have one that hold exact numbers. */
export const makeShapes = ({ messages, problems, schemas }: Plan) => {
  const known = new Map<string, Shape | undefined>()

  const named = (name: string): Shape | undefined => {
    if (name === decimalName) return "d"
    if (!known.has(name)) {
      known.set(name, undefined)
      known.set(name, shapeOf(schemas.get(name) ?? {}))
    }
    return known.get(name) === undefined ? undefined : name
  }

  /** The members by name, which a schema's own and its variants' are put together of. */
  const members = (schema: JsonSchema): Shape | undefined =>
    schema.$ref === undefined ? shapeOf(schema) : members(schemas.get(nameIn(schema.$ref)) ?? {})

  const shapeOf = (schema: JsonSchema, name = ""): Shape | undefined => {
    if (schema.$ref !== undefined) return named(nameIn(schema.$ref))
    if (isNative(name, schema)) return "n"
    const variants = schema.anyOf ?? []
    if (variants.length > 0) {
      const own = variants.length === 1 ? variants.map((one) => shapeOf(one)) : variants.map(members)
      return own.reduce<Shape | undefined>(merged, undefined)
    }
    const inner = schema.items === undefined ? undefined : shapeOf(schema.items)
    if (inner !== undefined) return { "[]": inner }
    const found = Object.entries(schema.properties ?? {}).flatMap(([member, part]) => {
      const shape = shapeOf(part, member)
      return shape === undefined ? [] : [[member, shape] as const]
    })
    return found.length === 0 ? undefined : Object.fromEntries(found)
  }

  const all = (several: ReadonlyArray<JsonSchema>): Shape =>
    several.map(members).reduce<Shape | undefined>(merged, undefined) ?? {}

  const tops = { Problem: all(problems), WebhookMessage: all(messages.map(({ schema }) => schema)) }
  for (const name of schemas.keys()) named(name)
  const table = Object.fromEntries(
    [...known].flatMap(([name, shape]) => shape === undefined ? [] : [[name, shape] as const]),
  )
  return { shapeOf, table: { ...table, ...tops } }
}
