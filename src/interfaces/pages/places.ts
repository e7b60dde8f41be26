/** Where a value may stand in a template. */
export type Where = "text" | "attribute" | "url" | "tag"

/** Attributes whose value is a place: a text in one of them could be code. */
const urlAttributes: ReadonlyArray<string> = ["href", "src", "action", "formaction", "poster", "data", "ping"]

/** Attributes that no value may stand in, as they hold code or a whole document. */
const forbidden = /^(?:on.*|style|srcdoc|srcset|http-equiv)$/

/** Elements whose content is no text. */
const raw = /^(?:script|style|template|iframe|noscript|xmp|plaintext)$/

const inTag = /^\s*(?:([a-z][A-Za-z0-9-]*)(?:=(?:"([^"]*)(")?)?)?)?/

const misplaced = (parts: TemplateStringsArray): Error =>
  new Error(`A value stands where none may stand: ${parts.join("${…}").trim().slice(0, 200)}`)

/**
 * The place of each value in a template. Throws where a value is in the name of a tag or an attribute, in an attribute
 * without double quotes, in a comment, in a script, or in only a part of a place that a link leads to.
 */
export const placesIn = (parts: TemplateStringsArray): ReadonlyArray<Where> => {
  const places: Array<Where> = []
  const at: { in: "text" | "tag" | "value"; element: string; attribute: string } = {
    in: "text",
    element: "",
    attribute: "",
  }

  const readText = (text: string): string => {
    const start = text.indexOf("<")
    if (start < 0) return ""
    const rest = text.slice(start)
    const [opened, slash, name = ""] = /^<(\/?)([a-z][a-z0-9-]*)/.exec(rest) ?? []
    if (opened === undefined) {
      if (/^<!doctype html>/.test(rest)) return rest.slice("<!doctype html>".length)
      throw misplaced(parts)
    }
    if (raw.test(at.element) && slash === "") throw misplaced(parts)
    at.element = slash === "" ? name : ""
    at.in = "tag"
    return rest.slice(opened.length)
  }

  const readTag = (text: string): string => {
    const closed = /^\s*\/?>/.exec(text)
    if (closed !== null) {
      at.in = "text"
      return text.slice(closed[0].length)
    }
    const [read = "", name, value, end] = inTag.exec(text) ?? []
    if (read === "") throw misplaced(parts)
    if (name !== undefined && value !== undefined && end === undefined) {
      at.in = "value"
      at.attribute = name.toLowerCase()
    }
    return text.slice(read.length)
  }

  const readValue = (text: string): string => {
    const end = text.indexOf('"')
    if (end < 0) return ""
    at.in = "tag"
    return text.slice(end + 1)
  }

  for (const [index, part] of parts.entries()) {
    for (let text = part; text !== "";) {
      text = at.in === "text" ? readText(text) : at.in === "tag" ? readTag(text) : readValue(text)
    }
    if (index === parts.length - 1) break
    if (at.in === "text") {
      if (raw.test(at.element)) throw misplaced(parts)
      places.push("text")
    } else if (at.in === "tag") {
      if (!/\s$/.test(part)) throw misplaced(parts)
      places.push("tag")
    } else {
      const isPlace = urlAttributes.includes(at.attribute)
      const isWhole = part.endsWith('="') && parts[index + 1]?.startsWith('"') === true
      if (forbidden.test(at.attribute) || (isPlace && !isWhole)) throw misplaced(parts)
      places.push(isPlace ? "url" : "attribute")
    }
  }
  if (at.in !== "text") throw misplaced(parts)
  return places
}
