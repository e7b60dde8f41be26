import { Predicate } from "effect"

// Postgres takes no zero character and no half of a surrogate pair, neither as text nor within jsonb: a row with one
// could never be written. What upstreams say can hold either. U+FFFD in its place shows that it was there.

/** The text, with U+FFFD for each character that cannot be stored. */
export const storableText = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed()

/** The same of every text and name in parsed JSON. */
const storableValue = (value: unknown): unknown => {
  if (Predicate.isString(value)) return storableText(value)
  if (Array.isArray(value)) return value.map(storableValue)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [storableText(name), storableValue(held)]),
  )
}

/** JSON can only hold such a character as an escape. Few texts do, so that most are not looked through again. */
const escape = /\\u(?:0000|d[89a-f])/i

/** Parses JSON, with U+FFFD for each character that cannot be stored; throws where it is none. */
export const parseStorable = (json: string): unknown => {
  const value: unknown = JSON.parse(json)
  return escape.test(json) ? storableValue(value) : value
}

/** The same of JSON that stays text. */
export const storableJson = (json: string): string =>
  escape.test(json) ? JSON.stringify(storableValue(JSON.parse(json))) : json
