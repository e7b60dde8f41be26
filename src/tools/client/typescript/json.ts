/**
 * Where a body has exact numbers: "d" is a decimal, "n" a native amount, another text the name of a shape of the table.
 * The items of a list are its member "[]". What is not named has neither.
 */
export type Shape = string | { readonly [member: string]: Shape }

export type Shapes = { readonly [name: string]: Shape }

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

const quote = 0x22
const backslash = 0x5c

const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote) return at + 1
  }
  return text.length
}

/** The numbers of a JSON text in their order, and the text with the place of each in their stead. */
const takeNumbers = (text: string): { readonly marked: string; readonly numbers: ReadonlyArray<string> } => {
  const numbers: Array<string> = []
  const parts: Array<string> = []
  let kept = 0
  for (let at = 0; at < text.length;) {
    if (text.charCodeAt(at) === quote) {
      at = endOfString(text, at)
      continue
    }
    number.lastIndex = at
    const found = number.exec(text)?.[0]
    if (found === undefined) {
      at++
      continue
    }
    // The spaces keep two numbers apart that no JSON has side by side.
    parts.push(text.slice(kept, at), ` ${numbers.length} `)
    numbers.push(found)
    at += found.length
    kept = at
  }
  return { marked: parts.join("") + text.slice(kept), numbers }
}

/** A number of a member that is neither: a number where a double has every digit of it, else its text. */
const plainNumber = (text: string): number | string => {
  const double = Number(text)
  return String(double) === text ? double : text
}

const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const integer = /^-?\d+$/

const items = "[]"

const memberOf = (shape: Shape | undefined, name: string): Shape | undefined =>
  typeof shape === "object" && Object.hasOwn(shape, name) ? shape[name] : undefined

/** Why a body is not what the contract says. */
class Misfit extends Error {}

const exact = (shape: "d" | "n", text: unknown, path: string): unknown => {
  if (text === null) return text
  if (typeof text === "string" && shape === "d" && decimal.test(text)) return text
  if (typeof text === "string" && shape === "n" && integer.test(text)) return BigInt(text)
  throw new Misfit(`${path} is not ${shape === "d" ? "a decimal" : "an integer"}`)
}

/** Puts the numbers back into what JSON.parse has made: the exact ones by the shape. */
const settled = (
  value: unknown,
  { numbers, shapes }: { readonly numbers: ReadonlyArray<string>; readonly shapes: Shapes },
  shape: Shape | undefined,
  path: string,
): unknown => {
  const text = typeof value === "number" ? numbers[value] : undefined
  if (shape === "d" || shape === "n") return exact(shape, text ?? value, path)
  if (text !== undefined) return plainNumber(text)
  if (typeof value !== "object" || value === null) return value
  const inner = typeof shape === "string" ? shapes[shape] : shape
  if (memberOf(inner, items) !== undefined && !Array.isArray(value)) throw new Misfit(`${path} is not a list`)
  for (const [name, member] of Object.entries(value)) {
    const own = memberOf(inner, Array.isArray(value) ? items : name)
    const put = settled(member, { numbers, shapes }, own, `${path}.${name}`)
    // A member called __proto__ is one of its own, and stays one.
    if (put !== member) Object.defineProperty(value, name, { value: put })
  }
  return value
}

/** What a JSON text says, with every digit of its exact numbers; or why it is not JSON, or not of this shape. */
export const readJson = (
  text: string,
  shape: Shape | undefined,
  shapes: Shapes,
): { readonly value: unknown } | { readonly fault: string } => {
  const { marked, numbers } = takeNumbers(text)
  try {
    return { value: settled(JSON.parse(marked), { numbers, shapes }, shape, "body") }
  } catch (cause) {
    return { fault: cause instanceof Misfit ? cause.message : "the body is not JSON" }
  }
}

/** JSON text of a request: a bigint is written as text, as the contract has native amounts. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => typeof member === "bigint" ? `${member}` : member)
