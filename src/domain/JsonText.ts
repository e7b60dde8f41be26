import { type Option, Schema } from "effect"

/** Deeper nesting is refused, as by the upstreams' own readers: nothing that we read comes near it. */
const deepest = 128

/** The index behind the text of a JSON string that begins at `start`. */
const stringEnd = (json: string, start: number): number => {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1
  return at + 1
}

/** Calls `visit` for each character of JSON that is outside of strings, with how deep it is nested. */
const visitStructure = (
  json: string,
  visit: (character: string, at: number, depth: number) => void,
): void => {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at] ?? ""
    if (character === '"') at = stringEnd(json, at) - 1
    else if (character === "{" || character === "[") visit(character, at, ++depth)
    else if (character === "}" || character === "]") visit(character, at, depth--)
    else visit(character, at, depth)
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
  } catch {
    return false
  }
  let most = 0
  visitStructure(text, (_, __, depth) => {
    most = Math.max(most, depth)
  })
  return most <= deepest
}

/**
 * JSON as it was written, without spaces around it. What is passed on in this form keeps every digit, and the
 * order of its members.
 */
export const JsonText = Schema.String.check(Schema.makeFilter(isJson)).pipe(Schema.brand("JsonText"))
export type JsonText = typeof JsonText.Type

/** The JSON of a text; nothing where it is none, or is nested too deeply. */
export const parseJsonText = (text: string): Option.Option<JsonText> => JsonText.makeOption(text.trim())

/** A part of JSON is JSON. */
const partOf = (json: string): JsonText => JsonText.make(json.trim(), { disableChecks: true })

/** What stands between the commas of a list or an object. */
const piecesOf = (json: JsonText): ReadonlyArray<JsonText> => {
  const pieces: Array<JsonText> = []
  let begin = 1
  visitStructure(json, (character, at, depth) => {
    if (depth !== 1 || (character !== "," && character !== "}" && character !== "]")) return
    const piece = partOf(json.slice(begin, at))
    if (piece !== "") pieces.push(piece)
    begin = at + 1
  })
  return pieces
}

/** Whether it is an object. */
export const isObjectText = (json: JsonText): boolean => json.startsWith("{")

/** Whether it is a list. */
export const isListText = (json: JsonText): boolean => json.startsWith("[")

/** The items of a list; none where it is no list. */
export const itemsOf = (json: JsonText): ReadonlyArray<JsonText> => isListText(json) ? piecesOf(json) : []

/** The members of an object, the last one of each name; none where it is no object. */
export const membersOf = (json: JsonText): ReadonlyMap<string, JsonText> => {
  if (!isObjectText(json)) return new Map()
  return new Map(
    piecesOf(json).map((piece) => {
      const nameEnd = stringEnd(piece, 0)
      return [
        `${JSON.parse(piece.slice(0, nameEnd))}`,
        partOf(piece.slice(piece.indexOf(":", nameEnd) + 1)),
      ] as const
    }),
  )
}

/**
 * The value, in which a number that is not a whole one, or has more digits than a double, is the text that it
 * was written as.
 */
export const readExactly = (json: JsonText): unknown => {
  if (isListText(json)) return itemsOf(json).map(readExactly)
  if (isObjectText(json)) {
    return Object.fromEntries([...membersOf(json)].map(([name, member]) => [name, readExactly(member)]))
  }
  const value: unknown = JSON.parse(json)
  if (typeof value !== "number") return value
  return Number.isSafeInteger(value) && `${value}` === json ? value : json
}
