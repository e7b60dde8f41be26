import { find, isList, isObject, type Json } from "./Json.ts"

const place = /^#\/components\/(?:examples|headers|parameters|responses)\/(.+)$/

const ofComponent = (document: Json, reference: Json | undefined): Json | undefined => {
  if (typeof reference !== "string" || !place.test(reference)) return undefined
  return find(document, ...reference.split("/").slice(1))
}

const within = (document: Json, json: Json): Json => {
  if (isList(json)) return json.map((one) => within(document, one))
  if (!isObject(json)) return json
  const component = ofComponent(document, json.$ref)
  if (component !== undefined) return within(document, component)
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, within(document, member)]))
}

/** An operation with the security that it has of the whole document, where it names none. */
const secured = (operation: Json, security: Json): Json =>
  isObject(operation) ? { security, ...operation } : operation

/** A document with its shared responses, parameters, headers, examples and security where they are meant; schemas stay apart. */
export const inlined = (document: Json): Json => {
  const whole = within(document, document)
  const [paths, security] = [find(whole, "paths"), find(whole, "security") ?? []]
  if (!isObject(whole) || !isObject(paths)) return whole
  return {
    ...whole,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [
        path,
        Object.fromEntries(
          Object.entries(isObject(operations) ? operations : {})
            .map(([method, operation]) => [method, secured(operation, security)]),
        ),
      ]),
    ),
  }
}
