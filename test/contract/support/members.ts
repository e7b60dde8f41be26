import { assert } from "@effect/vitest"
import { type Json, JsonNumber, objectAt } from "./Json.ts"

/** What a member has to be. */
export type Rule = (value: Json) => boolean

const matching = (pattern: RegExp): Rule => (value) => typeof value === "string" && pattern.test(value)

export const text: Rule = matching(/./)
export const boolean: Rule = (value) => typeof value === "boolean"
export const number: Rule = (value) => value instanceof JsonNumber
export const integer: Rule = (value) => value instanceof JsonNumber && /^(?:0|[1-9][0-9]*)$/.test(value.text)
export const time: Rule = (value) => value instanceof JsonNumber && /^[0-9]{13}$/.test(value.text)
export const date: Rule = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d*[1-9])?\+00:00$/)
export const blockIndex: Rule = matching(/^[0-9]+-[0-9]+$/)
export const digits: Rule = matching(/^(?:0|[1-9][0-9]*)$/)
export const assetId: Rule = matching(/^[a-z]+\.[a-z]+$/)
export const list: Rule = Array.isArray
export const object: Rule = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/** A member that has to have this very value. */
export const equal = (expected: string | boolean): Rule => (value) => value === expected

/** The rules of an amount and its native twin. */
export const amount = (name: string): Readonly<Record<string, Rule>> => ({
  [name]: number,
  [`${name}Native`]: digits,
})

/** The rules of a time and its date. */
export const moment = (name: string, dateName = `${name}Date`): Readonly<Record<string, Rule>> => ({
  [name]: time,
  [dateName]: date,
})

/** That an object has these members, each as its rule wants it, and none of those that must be absent. */
export const assertMembers = (
  json: Json,
  rules: Readonly<Record<string, Rule>>,
  absent: ReadonlyArray<string> = [],
): void => {
  const object = objectAt(json)
  for (const [name, rule] of Object.entries(rules)) {
    const value = object[name]
    assert.isDefined(value, `${name} is missing of ${JSON.stringify(json)}`)
    if (value !== undefined) assert.isTrue(rule(value), `${name} does not fit: ${JSON.stringify(value)}`)
  }
  for (const name of absent) assert.notProperty(object, name)
}
