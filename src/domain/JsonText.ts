import { type Option, Schema } from "effect"
import { withoutExponent } from "./money/Decimal.ts"

/** The deepest nesting that is read: nothing that we read comes near it, and each level costs another pass. */
const deepest = 32

const code = (character: string): number => character.charCodeAt(0)

const quote = code('"')
const backslash = code("\\")
const comma = code(",")
const openers: ReadonlyArray<number> = [code("{"), code("[")]
const closers: ReadonlyArray<number> = [code("}"), code("]")]

/** The index behind the JSON string that begins at `start`. */
const stringEnd = (json: string, start: number): number => {
  let at = start + 1
  for (let unit = json.charCodeAt(at); unit !== quote; unit = json.charCodeAt(at)) {
    at += unit === backslash ? 2 : 1
  }
  return at + 1
}

/** Called for each bracket and comma of JSON with its depth: 1 is within the outermost list or object. */
type Visit = (kind: "open" | "comma" | "close", at: number, depth: number) => void

const visitStructure = (json: string, visit: Visit): void => {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    if (unit === quote) at = stringEnd(json, at) - 1
    else if (unit === comma) visit("comma", at, depth)
    else if (openers.includes(unit)) visit("open", at, ++depth)
    else if (closers.includes(unit)) visit("close", at, depth--)
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
    if (depth > most) most = depth
  })
  return most <= deepest
}

/** JSON as written, without spaces around it, so that every digit and the members' order stay. */
export const JsonText = Schema.String.check(Schema.makeFilter(isJson)).pipe(Schema.brand("JsonText"))
export type JsonText = typeof JsonText.Type

/** The JSON of a text; none where it is not JSON, or nested too deeply. */
export const parseJsonText = (text: string): Option.Option<JsonText> => JsonText.makeOption(text.trim())

/** Takes a part of checked JSON without another check. */
const partOf = (json: string): JsonText => JsonText.make(json.trim(), { disableChecks: true })

/** The parts between the commas of a list or an object. */
const piecesOf = (json: JsonText): ReadonlyArray<JsonText> => {
  const pieces: Array<JsonText> = []
  let begin = 1
  visitStructure(json, (kind, at, depth) => {
    if (depth !== 1 || kind === "open") return
    const piece = partOf(json.slice(begin, at))
    if (piece !== "") pieces.push(piece)
    begin = at + 1
  })
  return pieces
}

export const isObjectText = (json: JsonText): boolean => json.startsWith("{")

export const isListText = (json: JsonText): boolean => json.startsWith("[")

/** The items of a list; none where the JSON is no list. */
export const itemsOf = (json: JsonText): ReadonlyArray<JsonText> => isListText(json) ? piecesOf(json) : []

/** The members of an object as they were written, with repeated names; none where the JSON is no object. */
const writtenMembers = (json: JsonText): ReadonlyArray<readonly [name: string, value: JsonText]> =>
  !isObjectText(json) ? [] : piecesOf(json).map((piece) => {
    const nameEnd = stringEnd(piece, 0)
    return [`${JSON.parse(piece.slice(0, nameEnd))}`, partOf(piece.slice(piece.indexOf(":", nameEnd) + 1))]
  })

/** The members of an object, the last of each name; none where the JSON is no object. */
export const membersOf = (json: JsonText): ReadonlyMap<string, JsonText> => new Map(writtenMembers(json))

/** Paths of duplicate members at any depth, which readers take differently (RFC 8259 section 4). */
export const repeatedMembers = (json: JsonText, path = ""): ReadonlyArray<string> => {
  const members = writtenMembers(json).map(([name, value]) => ({
    path: path === "" ? name : `${path}.${name}`,
    value,
  }))
  const items = itemsOf(json).map((value, index) => ({ path: `${path}[${index}]`, value }))
  const seen = new Set<string>()
  const repeated = members.flatMap((member) =>
    seen.has(member.path) ? [member.path] : (seen.add(member.path), [])
  )
  const within = [...members, ...items].flatMap((part) => repeatedMembers(part.value, part.path))
  return [...new Set([...repeated, ...within])]
}

/** Reads without loss: a number that is no exact double becomes its text, without an exponent. */
export const readExactly = (json: JsonText): unknown => {
  if (isListText(json)) return itemsOf(json).map(readExactly)
  if (isObjectText(json)) {
    return Object.fromEntries([...membersOf(json)].map(([name, member]) => [name, readExactly(member)]))
  }
  const value: unknown = JSON.parse(json)
  if (typeof value !== "number") return value
  return Number.isSafeInteger(value) && `${value}` === json ? value : withoutExponent(json)
}
