import { visibleText } from "./visibleText.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Network } from "#domain/chains/Chain.ts"
import { transactionUrl } from "#domain/chains/explorer.ts"

/** HTML in which a text from outside cannot be anything but text. Only this module makes it. */
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

/** A child of an element. Texts and numbers are escaped; `undefined` and `false` leave nothing. */
export type Child = Html | string | number | bigint | undefined | false | ReadonlyArray<Child>

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Most texts are visible ASCII without a sign that HTML reads, and need no further look. */
const isPlain = /^[ !#-%(-;=?-~]*$/

/** The text with invisible characters shown, and the signs escaped that `pattern` finds. */
const escaped = (text: string, pattern: RegExp): string =>
  isPlain.test(text) ? text : visibleText(text).replace(pattern, (sign) => escapes[sign] ?? "")

/** The HTML of a child between tags, where quotes mean nothing. */
export const jsxEscape = (child: Child): string => {
  if (child === undefined || child === false) return ""
  if (child instanceof Markup) return `${child}`
  return typeof child === "object" ? child.map(jsxEscape).join("") : escaped(`${child}`, /[&<>]/g)
}

/** A place that a link or a form may lead to. It is made by the functions below only, so that no text becomes one. */
class Place {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

export type Url = Place

const isUrl = (value: unknown): value is Url => value instanceof Place

/** A value as one part of a path. One of dots alone would lead elsewhere, and is spelled so that it does not. */
const part = (value: string | number): string => encodeURIComponent(value).replace(/^\.+$/, "-")

/**
 * A path of this service: path`/dashboard/swaps/${id}`. Each value is encoded, so that it stays one part of the path.
 */
export const path = (parts: TemplateStringsArray, ...values: ReadonlyArray<string | number>): Url =>
  new Place(
    parts.map((text, index) => {
      const value = values[index]
      return value === undefined ? text : text + part(value)
    }).join(""),
  )

/** A path as routes know it, with the names of its parameters: `/dashboard/accounts/:name`. */
type Pattern = `/${string}`

/** The path of a pattern, with a value for each of its names. */
export const pathOf = (pattern: Pattern, valueOf: (name: string) => string | number): Url =>
  new Place(pattern.replaceAll(/:([a-z]+)/g, (_, name: string) => part(valueOf(name))))

/** The path with these parameters. Those that are undefined or empty are left out. */
export const withQuery = (
  place: Url,
  parameters: Readonly<Record<string, string | number | undefined>>,
): Url => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== "") query.append(name, `${value}`)
  }
  const text = query.toString()
  return text === "" ? place : new Place(`${place}${`${place}`.includes("?") ? "&" : "?"}${text}`)
}

/** The page of a transaction in a public explorer, as answers have it. */
export const explorerUrl = (
  asset: AssetId,
  network: Network,
  transaction: string | undefined,
): Url | undefined => secureUrl(transactionUrl(asset, network, transaction))

/** A part of a page that the place leads to, by its `id`. */
export const withFragment = (place: Url, id: string): Url => new Place(`${place}#${encodeURIComponent(id)}`)

/** The URL, where the text is one that begins with `https:`; nothing where it may be code or anything else. */
export const secureUrl = (text: string | undefined): Url | undefined => {
  const url = URL.parse(text ?? "")
  return url !== null && url.protocol === "https:" && url.username === "" && url.password === ""
    ? new Place(url.href)
    : undefined
}

/**
 * The link of a payment, where the text is one that a wallet opens and nothing else: one of its schemes, and only
 * characters that such links have.
 */
export const walletUrl = (text: string): Url | undefined =>
  /^(?:bitcoin|ethereum|solana|tron):[A-Za-z0-9@/?&=.]+$/.test(text) ? new Place(text) : undefined

/** A request's text as a path below `below`; undefined where it would lead elsewhere. */
export const pathBelow = (below: string, text: string): Url | undefined => {
  const url = URL.parse(text, nowhere)
  return url !== null && url.origin === nowhere && `${url.pathname}/`.startsWith(`${below}/`)
    ? new Place(`${url.pathname}${url.search}`)
    : undefined
}

/** An origin, needed to parse a path. Its value does not matter. */
const nowhere = "http://broker.invalid"

/** The page or the mail address of a contact, with what a mail is about; nothing where the text is neither. */
export const contactUrl = (place: string, subject?: string): Url | undefined => {
  if (!/^[^\s@:/?#]+@[^\s@:/?#]+$/.test(place)) return secureUrl(place)
  const about = subject === undefined ? "" : `?subject=${encodeURIComponent(subject)}`
  return new Place(`mailto:${encodeURIComponent(place).replace("%40", "@")}${about}`)
}

type Value = string | number | boolean | undefined | Url

/** An attribute in double quotes: `true` stands alone, `undefined` and `false` are left out. */
export const jsxAttr = (name: string, value: Value): string => {
  if (value === undefined || value === false) return ""
  return value === true ? name : `${name}="${escaped(`${value}`, /[&<>"']/g)}"`
}

/** An element as Deno precompiles it: fixed parts are HTML, and the functions above have written the texts between. */
export const jsxTemplate = (parts: ReadonlyArray<string>, ...holes: ReadonlyArray<Child>): Html => {
  let text = ""
  for (let index = 0; index < parts.length; index += 1) {
    const hole = holes[index]
    text += (parts[index] ?? "") + (typeof hole === "string" ? hole : jsxEscape(hole))
  }
  return new Markup(text)
}

const isVoid = /^(?:br|hr|img|input|link|meta)$/

/** An element that precompile leaves alone, a component, or any element where Deno does not compile (vitest). */
export const jsx = <Props extends { readonly children?: Child }>(
  of: string | ((props: Props) => Html),
  props: Props,
): Html => {
  if (typeof of !== "string") return of(props)
  const { children, ...others } = props
  const attributes = Object.entries<unknown>(others).map(([name, value]) => {
    const isValue = typeof value === "string" || typeof value === "number" || typeof value === "boolean" ||
      isUrl(value)
    return isValue ? jsxAttr(name, value) : ""
  })
  const head = [of, ...attributes.filter((text) => text !== "")].join(" ")
  return new Markup(isVoid.test(of) ? `<${head}>` : `<${head}>${jsxEscape(children)}</${of}>`)
}
export const jsxs = jsx
export const Fragment = ({ children }: { readonly children?: Child }): Html => new Markup(jsxEscape(children))

/** Nothing. */
export const nothing: Html = new Markup("")

/** The document of an `html` element. */
export const documentOf = (html: Html): Html => new Markup(`<!doctype html>${html}`)

type Text = string | false | undefined
type Flag = boolean | undefined

interface Global {
  readonly children?: Child
  readonly class?: Text
  readonly id?: Text
  readonly role?: Text
  readonly title?: Text
  readonly lang?: string
  readonly tabindex?: string
  readonly hidden?: Flag
  readonly popover?: Flag
  readonly [data: `data-${string}`]: string | boolean | undefined
  readonly [aria: `aria-${string}`]: Text
}

/** A link, whose target is a `Url`, or a part of the same page. */
interface Link extends Global {
  readonly href: Url | `#${string}`
  readonly rel?: string
  readonly hreflang?: string
}

interface Field extends Global {
  readonly type?: string
  readonly name?: string
  readonly value?: string | undefined
  readonly placeholder?: string
  readonly autocomplete?: Text
  readonly spellcheck?: "false"
  readonly checked?: Flag
  readonly required?: Flag
  readonly disabled?: Flag
  readonly autofocus?: Flag
  readonly pattern?: string
  readonly popovertarget?: string
}

interface Cell extends Global {
  readonly colspan?: string
  readonly scope?: "col" | "row" | "rowgroup"
}

type Length = string | number

/** A drawing, or a shape in one. */
interface Drawing extends Global {
  readonly width?: Length
  readonly height?: Length
  readonly x?: Length
  readonly y?: Length
  readonly x1?: Length
  readonly x2?: Length
  readonly y1?: Length
  readonly y2?: Length
  readonly cx?: Length
  readonly cy?: Length
  readonly r?: Length
  readonly rx?: Length
  readonly d?: string
  readonly points?: string
  readonly viewBox?: string
  readonly preserveAspectRatio?: "none"
  readonly fill?: string
  readonly stroke?: string
  readonly "stroke-width"?: string
  readonly "stroke-linecap"?: "round"
  readonly "stroke-linejoin"?: "round"
  readonly "shape-rendering"?: "crispEdges"
}

export declare namespace JSX {
  export type Element = Html
  export interface ElementChildrenAttribute {
    children: unknown
  }
  type Plain =
    | "html"
    | "head"
    | "body"
    | "title"
    | "main"
    | "nav"
    | "header"
    | "footer"
    | "section"
    | "div"
    | "span"
    | "p"
    | "h1"
    | "h2"
    | "h3"
    | "ul"
    | "ol"
    | "li"
    | "dl"
    | "dt"
    | "dd"
    | "table"
    | "caption"
    | "thead"
    | "tbody"
    | "tfoot"
    | "tr"
    | "b"
    | "i"
    | "s"
    | "small"
    | "bdi"
    | "br"
    | "code"
    | "pre"
    | "summary"
    | "fieldset"
    | "legend"
    | "figure"
    | "figcaption"
    | "noscript"
  type Shape = "svg" | "path" | "rect" | "line" | "polyline" | "text" | "circle"
  export type IntrinsicElements =
    & { readonly [Name in Plain]: Global }
    & { readonly [Name in Shape]: Drawing }
    & {
      readonly a: Link
      readonly link: Link & { readonly type?: string }
      readonly script: { readonly src: Url; readonly type?: "module" }
      readonly img: Global & {
        readonly src: Url
        readonly alt: string
        readonly width: string
        readonly height: string
      }
      readonly meta: {
        readonly name?: string
        readonly content?: string
        readonly charset?: "utf-8"
        readonly "http-equiv"?: "refresh"
      }
      readonly form: Global & { readonly action?: Url; readonly method?: "get" | "post" }
      readonly button: Field
      readonly input: Field
      readonly select: Field
      readonly option: Field & { readonly selected?: Flag }
      readonly label: Global & { readonly for?: string }
      readonly details: Global & { readonly name?: string; readonly open?: Flag }
      readonly time: Global & { readonly datetime: string }
      readonly data: Global & { readonly value: string }
      readonly th: Cell
      readonly td: Cell
    }
}
