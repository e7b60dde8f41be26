import { isUrl, type Url } from "./Url.ts"
import { placesIn, type Where } from "./places.ts"
import { visibleText } from "./visibleText.ts"

/** HTML in which no text of others can be anything but text. It is made by `html` only. */
class Markup {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

export type Html = Markup

/** Attributes of an element, made by `attributes`. */
class Attributes extends Markup {}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** The text as it can stand in quotes. */
const escaped = (text: string): string =>
  visibleText(text).replace(/[&<>"']/g, (found) => escapes[found] ?? "")

/** The text as it can stand between tags, where quotes mean nothing. */
const escapedBetween = (text: string): string =>
  visibleText(text).replace(/[&<>]/g, (found) => escapes[found] ?? "")

/**
 * What may stand in a template. Texts and numbers are escaped, `undefined` and `false` leave nothing. A place that a
 * link leads to takes a `Url` only.
 */
export type Hole =
  | string
  | number
  | bigint
  | undefined
  | false
  | Html
  | Url
  | ReadonlyArray<Html | string | undefined | false>

const refused = (where: Where): Error => new Error(`This value may not stand here: ${where}`)

const written = (hole: Hole, where: Where): string => {
  if (hole === undefined || hole === false) return ""
  if (hole instanceof Attributes) {
    if (where === "tag") return `${hole}`
    throw refused(where)
  }
  if (where === "tag") throw refused(where)
  if (isUrl(hole)) return escaped(`${hole}`)
  if (where === "url") throw refused(where)
  if (hole instanceof Markup) {
    if (where === "text") return `${hole}`
    throw refused(where)
  }
  if (typeof hole === "object") return hole.map((one) => written(one, where)).join("")
  return where === "text" ? escapedBetween(`${hole}`) : escaped(`${hole}`)
}

const known = new WeakMap<TemplateStringsArray, ReadonlyArray<Where>>()

const placesOf = (parts: TemplateStringsArray): ReadonlyArray<Where> => {
  const found = known.get(parts)
  if (found !== undefined) return found
  const places = placesIn(parts)
  known.set(parts, places)
  return places
}

/**
 * HTML of a template: html`<a href="${path`/swaps/${id}`}">${label}</a>`. Each value is escaped by where it stands, and
 * one that may not stand there is a defect: a text as the target of a link, a value without quotes, a value in a
 * script. Tags and attributes are written in small letters and double quotes.
 */
export const html = (parts: TemplateStringsArray, ...holes: ReadonlyArray<Hole>): Html => {
  const places = placesOf(parts)
  let text = parts[0] ?? ""
  for (const [index, hole] of holes.entries()) {
    text += written(hole, places[index] ?? "tag") + (parts[index + 1] ?? "")
  }
  return new Markup(text)
}

/** Nothing. */
export const nothing: Html = html``

/** The attributes that may be left out or stand without a value. */
type Optional =
  | "aria-current"
  | "aria-hidden"
  | "aria-invalid"
  | "aria-label"
  | "autocomplete"
  | "autofocus"
  | "checked"
  | "class"
  | "data-l"
  | "data-live"
  | "disabled"
  | "hidden"
  | "id"
  | "open"
  | "required"
  | "role"
  | "selected"
  | "title"

/** Attributes for a tag: those that are `true` stand alone, those that are undefined or false are left out. */
export const attributes = (values: { readonly [Name in Optional]?: string | boolean | undefined }): Html =>
  new Attributes(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined || value === false) return []
      return [value === true ? name : `${name}="${escaped(value)}"`]
    }).join(" "),
  )
