/** JSON as a careful client reads it: no number passes through a double. */

/** A JSON number, as it was written. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

export type Json = string | boolean | null | JsonNumber | ReadonlyArray<Json> | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

declare global {
  interface JSON {
    /** The form whose reviver sees how a number was written. */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

const toJson = (value: unknown): Json => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (value instanceof JsonNumber) return value
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)]))
  }
  throw new Error(`JSON has no ${typeof value}`)
}

/** Reads JSON text; throws where it is none. */
export const parseJson = (text: string): Json =>
  toJson(
    JSON.parse(
      text,
      (_, value, { source }) => typeof value === "number" ? new JsonNumber(source ?? `${value}`) : value,
    ),
  )

export const isList = (json: Json | undefined): json is ReadonlyArray<Json> => Array.isArray(json)

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === "object" && json !== null && !isList(json) && !(json instanceof JsonNumber)

type Step = string | number

const step = (json: Json | undefined, name: Step): Json | undefined => {
  if (typeof name === "number") return isList(json) ? json[name] : undefined
  return isObject(json) && Object.hasOwn(json, name) ? json[name] : undefined
}

/** What stands under a path, if anything does. */
export const find = (json: Json, ...path: ReadonlyArray<Step>): Json | undefined =>
  path.reduce<Json | undefined>(step, json)

const wanted = (what: string, json: Json | undefined, path: ReadonlyArray<Step>): Error =>
  new Error(`Not ${what} under "${path.join(".")}": ${JSON.stringify(json)}`)

/** What stands under a path; throws where nothing does. */
export const at = (json: Json, ...path: ReadonlyArray<Step>): Json => {
  const found = find(json, ...path)
  if (found === undefined) throw wanted("there", json, path)
  return found
}

export const textAt = (json: Json, ...path: ReadonlyArray<Step>): string => {
  const found = at(json, ...path)
  if (typeof found !== "string") throw wanted("text", found, path)
  return found
}

/** A number as it was written. */
export const numberAt = (json: Json, ...path: ReadonlyArray<Step>): string => {
  const found = at(json, ...path)
  if (!(found instanceof JsonNumber)) throw wanted("a number", found, path)
  return found.text
}

export const integerAt = (json: Json, ...path: ReadonlyArray<Step>): number => Number(numberAt(json, ...path))

export const listAt = (json: Json, ...path: ReadonlyArray<Step>): ReadonlyArray<Json> => {
  const found = at(json, ...path)
  if (!isList(found)) throw wanted("a list", found, path)
  return found
}

export const objectAt = (json: Json, ...path: ReadonlyArray<Step>): JsonObject => {
  const found = at(json, ...path)
  if (!isObject(found)) throw wanted("an object", found, path)
  return found
}

/** The first that fits; throws where none does. */
export const pick = (list: Json, fits: (item: Json) => boolean): Json => {
  const found = listAt(list).find(fits)
  if (found === undefined) throw wanted("one that fits", list, [])
  return found
}
