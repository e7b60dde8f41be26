import {
  find,
  isList,
  isObject,
  type Json,
  JsonNumber,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
} from "./Json.ts"

/**
 * As much of JSON Schema as the OpenAPI document uses. A keyword that is not here is a fault, so that
 * nothing is taken for checked that was not.
 */

type Faults = ReadonlyArray<string>

/** What a keyword finds wrong with a value. */
type Keyword = (schema: JsonObject, value: Json, check: Check, path: string) => Faults
type Check = (schema: Json, value: Json, path: string) => Faults

const none: Faults = []
const wrong = (path: string, sentence: string): Faults => [`${path || "the body"} ${sentence}`]

const types: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: isList,
  object: isObject,
  number: (value) => value instanceof JsonNumber,
  integer: (value) => value instanceof JsonNumber && /^-?[0-9]+$/.test(value.text),
}

const same = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other)

/** A bound on numbers; the bounds of the contract are small whole numbers. */
const bound =
  (name: string, holds: (value: number, limit: number) => boolean): Keyword => (schema, value, _, path) =>
    value instanceof JsonNumber && !holds(Number(value.text), Number(numberAt(schema, name)))
      ? wrong(path, `breaks ${name} ${numberAt(schema, name)}: ${value.text}`)
      : none

/** Of all keywords that say nothing about a value. */
const says: Keyword = () => none

const keywords: Readonly<Record<string, Keyword>> = {
  description: says,
  examples: says,
  contentMediaType: says,
  contentSchema: says,
  type: (schema, value, _, path) => {
    const wanted = isList(schema.type) ? schema.type : [textAt(schema, "type")]
    return wanted.some((type) => typeof type === "string" && types[type]?.(value) === true)
      ? none
      : wrong(path, `is not of type ${JSON.stringify(wanted)}: ${JSON.stringify(value)}`)
  },
  enum: (schema, value, _, path) =>
    listAt(schema, "enum").some((one) => same(one, value))
      ? none
      : wrong(path, `is none of the enum: ${JSON.stringify(value)}`),
  pattern: (schema, value, _, path) =>
    typeof value === "string" && !new RegExp(textAt(schema, "pattern"), "u").test(value)
      ? wrong(path, `does not fit ${textAt(schema, "pattern")}: ${value}`)
      : none,
  minLength: (schema, value, _, path) =>
    typeof value === "string" && value.length < Number(numberAt(schema, "minLength"))
      ? wrong(path, "is too short")
      : none,
  maxLength: (schema, value, _, path) =>
    typeof value === "string" && value.length > Number(numberAt(schema, "maxLength"))
      ? wrong(path, "is too long")
      : none,
  format: (schema, value, _, path) =>
    textAt(schema, "format") !== "date" || typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value)
      ? none
      : wrong(path, "is no date"),
  minimum: bound("minimum", (value, limit) => value >= limit),
  maximum: bound("maximum", (value, limit) => value <= limit),
  exclusiveMinimum: bound("exclusiveMinimum", (value, limit) => value > limit),
  required: (schema, value, _, path) =>
    isObject(value)
      ? listAt(schema, "required").flatMap((name) =>
        typeof name === "string" && !Object.hasOwn(value, name) ? wrong(path, `lacks ${name}`) : none
      )
      : none,
  properties: (schema, value, check, path) =>
    Object.entries(objectAt(schema, "properties")).flatMap(([name, member]) => {
      const found = find(value, name)
      return found === undefined ? none : check(member, found, `${path}.${name}`)
    }),
  additionalProperties: (schema, value, check, path) => {
    if (!isObject(value) || schema.additionalProperties === undefined) return none
    const known = isObject(schema.properties) ? schema.properties : {}
    const others = schema.additionalProperties
    return Object.entries(value).flatMap(([name, member]) => {
      if (Object.hasOwn(known, name) || others === true) return none
      return others === false ? wrong(path, `may not have ${name}`) : check(others, member, `${path}.${name}`)
    })
  },
  items: (schema, value, check, path) =>
    isList(value) && schema.items !== undefined
      ? value.flatMap((item, index) => check(schema.items ?? null, item, `${path}[${index}]`))
      : none,
  prefixItems: (schema, value, check, path) =>
    listAt(schema, "prefixItems").flatMap((one, index) => {
      const item = isList(value) ? value[index] : undefined
      return item === undefined ? none : check(one, item, `${path}[${index}]`)
    }),
  minItems: (schema, value, _, path) =>
    isList(value) && value.length < Number(numberAt(schema, "minItems")) ? wrong(path, "is too short") : none,
  uniqueItems: (schema, value, _, path) =>
    schema.uniqueItems === true && isList(value) &&
      value.some((one, index) => value.slice(0, index).some((other) => same(one, other)))
      ? wrong(path, "has something twice")
      : none,
  maxItems: (schema, value, _, path) =>
    isList(value) && value.length > Number(numberAt(schema, "maxItems")) ? wrong(path, "is too long") : none,
  anyOf: (schema, value, check, path) => {
    const found = listAt(schema, "anyOf").map((one) => check(one, value, path))
    return found.some((faults) => faults.length === 0) ? none : found.flat()
  },
  allOf: (schema, value, check, path) => listAt(schema, "allOf").flatMap((one) => check(one, value, path)),
}

/** What a local reference such as `#/components/schemas/Quote` stands for; throws where it leads nowhere. */
export const resolve = (document: Json, reference: string): Json => {
  const [root, ...path] = reference.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
  const found = root === "#" ? find(document, ...path) : undefined
  if (found === undefined) throw new Error(`The reference ${reference} leads nowhere`)
  return found
}

/** A schema as one with all its members, where it refers to another or extends it. */
export const extended = (document: Json, schema: Json): Json => {
  const [reference, allOf] = [find(schema, "$ref"), find(schema, "allOf")]
  if (typeof reference === "string") return extended(document, resolve(document, reference))
  if (!isList(allOf)) return schema
  const parts = allOf.map((one) => extended(document, one))
  return {
    type: "object",
    properties: Object.assign({}, ...parts.map((one) => find(one, "properties"))),
    required: parts.flatMap((one) => find(one, "required") ?? []),
  }
}

/** Everything in which a value does not fit a schema of the document. */
export const schemaFaults = (document: Json, schema: Json, value: Json): Faults => {
  const check: Check = (schema, value, path) => {
    if (!isObject(schema)) return wrong(path, "has a schema that is no object")
    return Object.keys(schema).flatMap((name) => {
      if (name === "$ref") return check(resolve(document, textAt(schema, "$ref")), value, path)
      const keyword = keywords[name]
      return keyword === undefined
        ? wrong(path, `has a schema with the unknown keyword ${name}`)
        : keyword(schema, value, check, path)
    })
  }
  return check(schema, value, "")
}
