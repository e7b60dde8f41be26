import { type Chain, chainFacts } from "#domain/chains/Chain.ts"

/** A place that a link or a form may lead to. It is made by the functions of this file only, so that no text becomes one. */
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

export const isUrl = (value: unknown): value is Url => value instanceof Place

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
export type Pattern = `/${string}`

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

/** A hash in hexadecimal or base58, or a block with the number of an extrinsic. */
const transactionForm = /^[A-Za-z0-9]{32,90}$|^[0-9]{1,12}-[0-9]{1,6}$/

/** The page of a transaction in a public explorer of the chain's main network, where its reference looks like one. */
export const explorerUrl = (chain: Chain, transaction: string): Url | undefined =>
  transactionForm.test(transaction) ? secureUrl(`${chainFacts(chain).explorer}${transaction}`) : undefined

/** A part of a page that the place leads to, by its `id`. */
export const withFragment = (place: Url, id: string): Url => new Place(`${place}#${encodeURIComponent(id)}`)

/** The URL, where the text is one that begins with `https:`; nothing where it may be code or anything else. */
export const secureUrl = (text: string): Url | undefined => {
  const url = URL.parse(text)
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
