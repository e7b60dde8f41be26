import { find, isList, isObject, type Json, JsonNumber } from "#test/contract/support/Json.ts"

const typeOf = (value: Json): string => {
  if (value === null) return "null"
  if (isList(value)) return "array"
  if (value instanceof JsonNumber) return /^-?[0-9]+$/.test(value.text) ? "integer" : "number"
  return typeof value
}

const membersOf = (json: Json | undefined): ReadonlyArray<readonly [string, Json]> =>
  json !== undefined && isObject(json) ? Object.entries(json) : []

const listOf = (json: Json | undefined): ReadonlyArray<Json> => json !== undefined && isList(json) ? json : []

/** Where a value does not conform to a JSON Schema as tools list them: types, lists, members, references. */
export const misfits = (
  value: Json,
  schema: Json,
  root: Json = schema,
  place = "$",
): ReadonlyArray<string> => {
  const reference = find(schema, "$ref")
  if (reference !== undefined) {
    const target = find(root, "$defs", `${reference}`.slice("#/$defs/".length))
    return target === undefined
      ? [`${place}: ${reference} is not there`]
      : misfits(value, target, root, place)
  }
  const type = find(schema, "type")
  if (type !== undefined && type !== typeOf(value) && !(type === "number" && typeOf(value) === "integer")) {
    return [`${place} is of type ${typeOf(value)}, not ${type}`]
  }
  const values = find(schema, "enum")
  if (values !== undefined && !listOf(values).includes(value)) {
    return [`${place} is none of ${JSON.stringify(values)}`]
  }
  const items = find(schema, "items")
  return [
    ...listOf(find(schema, "required")).filter((name) => find(value, `${name}`) === undefined)
      .map((name) => `${place}.${name} is missing`),
    ...membersOf(find(schema, "properties")).flatMap(([name, inner]) => {
      const member = isObject(value) ? value[name] : undefined
      return member === undefined ? [] : misfits(member, inner, root, `${place}.${name}`)
    }),
    ...(items === undefined
      ? []
      : listOf(value).flatMap((one, index) => misfits(one, items, root, `${place}[${index}]`))),
  ]
}
