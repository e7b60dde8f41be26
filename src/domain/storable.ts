import { Predicate } from "effect"

// Postgres takes no zero character and no half of a surrogate pair, neither as text nor within jsonb: a row with one
// could never be written. Texts of upstreams can hold either. U+FFFD in its place shows that it was there.

/** The text, with U+FFFD for each character that cannot be stored. */
export const storableText = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed()

/** The parsed JSON, with U+FFFD in every text and name for each character that cannot be stored. */
const storableValue = (value: unknown): unknown => {
  if (Predicate.isString(value)) return storableText(value)
  if (Array.isArray(value)) return value.map(storableValue)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [storableText(name), storableValue(held)]),
  )
}

/** JSON can hold such a character only as an escape. Few texts have one, so most need no second pass. */
const escape = /\\u(?:0000|d[89a-f])/i

/** Parses JSON, with U+FFFD for each character that cannot be stored; throws where the text is not JSON. */
export const parseStorable = (json: string): unknown => {
  const value: unknown = JSON.parse(json)
  return escape.test(json) ? storableValue(value) : value
}

/** The JSON text, with U+FFFD for each character that cannot be stored. */
export const storableJson = (json: string): string =>
  escape.test(json) ? JSON.stringify(storableValue(JSON.parse(json))) : json
