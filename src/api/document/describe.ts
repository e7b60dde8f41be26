import { Predicate } from "effect"
import { mapMembers } from "./json.ts"
import { descriptionOf } from "./vocabulary.ts"

const described = (component: string | undefined, schema: unknown, name: string): unknown => {
  if (!Predicate.isObject(schema) || schema.description !== undefined) return schema
  const description = descriptionOf(component, name)
  return description === undefined ? schema : { ...schema, description }
}

/** Gives every member of a body what its name says, where its schema says nothing. `component` is where it stands. */
export const describe = (json: unknown, component?: string): unknown => {
  if (Array.isArray(json)) return json.map((one) => describe(one, component))
  return mapMembers(json, (member, name) => {
    if (name === "properties" && Predicate.isObject(member)) {
      return mapMembers(member, (schema, own) => described(component, describe(schema, component), own))
    }
    if (name === "schemas") return mapMembers(member, (schema, own) => describe(schema, own))
    return describe(member, component)
  })
}
