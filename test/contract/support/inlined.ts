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

/** A document with its shared responses, parameters, headers and examples where they are meant; schemas stay apart. */
export const inlined = (document: Json): Json => within(document, document)
