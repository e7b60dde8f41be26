import { isList, isObject, type Json, JsonNumber, type JsonObject } from "#test/contract/support/Json.ts"

/** Where a member stands in an answer. */
export type Path = ReadonlyArray<string | number>

/** JSON text; numbers are written as they were read, also those that no double holds. */
export const writeJson = (json: Json): string => {
  if (json instanceof JsonNumber) return json.text
  if (isList(json)) return `[${json.map(writeJson).join(",")}]`
  if (!isObject(json)) return JSON.stringify(json)
  const members = Object.entries(json).map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`)
  return `{${members.join(",")}}`
}

const withMember = (members: JsonObject, name: string, value: Json | undefined): JsonObject => {
  const others = Object.entries(members).filter(([other]) => other !== name)
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]])
}

/** The answer with another value under a path, or with none; as it was where nothing leads there. */
export const changed = (json: Json, [step, ...rest]: Path, value: Json | undefined): Json => {
  if (step === undefined) return value ?? json
  if (isList(json) && typeof step === "number") {
    const element = json[step]
    if (element === undefined) return json
    if (rest.length === 0 && value === undefined) return json.filter((_, index) => index !== step)
    return json.map((other, index) => index === step ? changed(element, rest, value) : other)
  }
  if (!isObject(json)) return json
  const name = `${step}`
  if (rest.length === 0) return withMember(json, name, value)
  const member = json[name]
  return member === undefined ? json : withMember(json, name, changed(member, rest, value))
}

/** Every text in an answer, with the name of the member that it is under. */
export const textsIn = (json: Json, member = ""): ReadonlyArray<readonly [member: string, text: string]> => {
  if (typeof json === "string") return [[member, json]]
  if (isList(json)) return json.flatMap((element) => textsIn(element, member))
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([name, value]) => textsIn(value, name))
}

const isEvmAddress = /^0x[0-9a-fA-F]{40}$/

/** Addresses in small letters: their capitals say nothing but how to spell them. */
export const uncased = (value: Json): Json => {
  if (typeof value === "string") return isEvmAddress.test(value) ? value.toLowerCase() : value
  if (isList(value)) return value.map(uncased)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, uncased(member)]))
}
