import { Context, Redacted, Schema } from "effect"
import type { KeyId } from "#domain/accounts/Key.ts"
import type { Meter } from "#application/limits/admitRequest.ts"
import { Headers } from "effect/http"

/** An answer that may be repeated, letter by letter, to the same request of the same caller. */
export interface Repeatable {
  /** The contract's path of the endpoint. */
  readonly route: string
  readonly body: string
  /** When the answer gets too old, in epoch milliseconds. */
  readonly until: number
  /** The providers that a repetition does not ask. */
  readonly providers: ReadonlyArray<string>
}

/** The request does not say which host it is for, in a way that could not change its path. */
export class HostInvalid extends Schema.TaggedError<HostInvalid>()("HostInvalid", {}) {}

/** The URL is longer than the service reads. */
export class UrlTooLong
  extends Schema.TaggedError<UrlTooLong>()("UrlTooLong", { maximumBytes: Schema.Int }) {}

/** The body is longer than the service reads. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {
  maximumBytes: Schema.Int,
}) {}

/** The body did not arrive in time, or not to its end. */
export class BodyIncomplete extends Schema.TaggedError<BodyIncomplete>()("BodyIncomplete", {}) {}

/** Why a request is not read at all. */
export type Refusal = HostInvalid | UrlTooLong | BodyTooLarge | BodyIncomplete

/** What a client sent, byte for byte but for a key in the target. */
export interface SentBytes {
  readonly target: string
  readonly body: Uint8Array
}

/**
 * Parts of a request that the server took out before anything else saw it. Credentials are among them so that no log,
 * span, header or error can carry one (decision 1). A request that did not come through the server has none.
 */
export const RequestMeta = Context.Reference<{
  /** The different API keys of the request; more than one is the caller's mistake. */
  readonly credentials: ReadonlyArray<Redacted.Redacted<string>>
  readonly hasKeyInUrl?: boolean
  /** The token of the dashboard's session. */
  readonly session?: Redacted.Redacted<string>
  /** The address or network that the request comes from, as limits count it. */
  readonly address?: string
  /** Absent where the request is not read. */
  readonly sent?: SentBytes
  /** Whether more slashes than one stood before the path. */
  readonly hasSlashesBefore?: boolean
  /** The reason why the request is not read at all. */
  readonly refusal?: Refusal
  /** Takes the id of the key that the request came with, once it is known: the answer is signed for it. */
  readonly knownAs?: (id: KeyId) => void
  /** Offers the answer for repetition. Only an offer made before the answer counts. */
  readonly offer?: (repeatable: Repeatable) => void
  /** Names the limits that the request counted against: a repetition counts against them, too. */
  readonly meter?: (meter: Meter) => void
}>("swap-broker/requests/RequestMeta", { defaultValue: () => ({ credentials: [] }) })

const parameterName = "apikey"
const headerName = "x-api-key"
/** Matches every query that can name the parameter; most queries do not, and need not be parsed. */
const mayHoldKey = /apikey|%/i
const bearer = /^bearer +/i

/** The cookie of a session. Browsers accept `__Host-` names only from this host, over https or locally (RFC 6265bis 4.1.3.2). */
export const sessionCookie = "__Host-swap-broker"
const session = new RegExp(`(?:^|; *)${sessionCookie}=([A-Za-z0-9_-]{20,100})(?=;|$)`)

/** Matches every path that can hold a key: its first part is `rpc`, which may be encoded. */
const mayBeRpc = /^[^?#]*(?:rpc|%)/i
const rpc = "rpc"

/** The text that replaces the key in a path. */
const hiddenKey = "hidden"

/** The parts of a request without its credentials, and the distinct credentials that it came with. */
export interface Hidden {
  /** Path and query. */
  readonly url: string
  readonly headers: Headers.Headers
  readonly credentials: ReadonlyArray<Redacted.Redacted<string>>
  /** Whether a key was in the URL, where logs of others on the way may have kept it. */
  readonly hasKeyInUrl?: boolean
  /** The token of the dashboard's cookie. */
  readonly session?: Redacted.Redacted<string>
}

/** An origin, needed to parse path and query. Its value does not matter. */
const anyOrigin = "http://broker.invalid"

const written = ({ pathname, search }: URL): string => `${pathname}${search}`

/** The path and query without the keys in the query, and those keys. */
const hideInQuery = (text: string): { readonly url: string; readonly found: ReadonlyArray<string> } => {
  const query = text.indexOf("?")
  if (query < 0 || !mayHoldKey.test(text.slice(query))) return { url: text, found: [] }
  const url = new URL(`${anyOrigin}${text}`)
  const named = [...url.searchParams.keys()].filter((name) => name.toLowerCase() === parameterName)
  const found: Array<string> = []
  for (const name of new Set(named)) {
    found.push(...url.searchParams.getAll(name))
    url.searchParams.delete(name)
  }
  return { url: named.length === 0 ? text : written(url), found }
}

/** A part of a path, decoded. A part that is badly encoded stays as it is. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The path and query without the key that JSON-RPC clients have in the path of their URL, and that key. */
const hideInPath = (text: string): { readonly url: string; readonly found: ReadonlyArray<string> } => {
  if (!mayBeRpc.test(text)) return { url: text, found: [] }
  const url = new URL(`${anyOrigin}${text}`)
  const [first = "", key, ...rest] = url.pathname.split("/").filter((part) => part !== "")
  if (decoded(first).toLowerCase() !== rpc || key === undefined) return { url: text, found: [] }
  url.pathname = [first, hiddenKey, ...rest].join("/")
  return { url: written(url), found: [decoded(key)] }
}

/** The runtime's own headers. `forEach` takes a fraction of the time of their iterator. */
type GivenHeaders = Pick<Request["headers"], "forEach">

/** The headers without the keys and cookies in them, those keys, and the cookies as they came. */
const hideInHeaders = (given: GivenHeaders) => {
  const kept: Record<string, string> = {}
  const found: Array<string> = []
  let cookies: string | undefined
  given.forEach((value, name) => {
    if (name === headerName) found.push(value)
    else if (name === "cookie") cookies = value
    else if (name !== "authorization") kept[name] = value
    else if (bearer.test(value)) found.push(value.replace(bearer, ""))
  })
  return { headers: Headers.fromRecordUnsafe(kept), found, cookies }
}

/**
 * Takes the API keys out of a request: from the query parameter `apiKey` in any case, from `X-API-Key`, from
 * `Authorization: Bearer` (decision 1), and from the path of `/rpc`. All cookies go with them. The rest of the query
 * keeps its order. `target` is path and query.
 */
export const hideCredentials = (target: string, headers: GivenHeaders): Hidden => {
  const inPath = hideInPath(target)
  const inQuery = hideInQuery(inPath.url)
  const inHeaders = hideInHeaders(headers)
  const inUrl = [...inPath.found, ...inQuery.found]
  const found = [...inUrl, ...inHeaders.found]
  const given = [...new Set(found)].filter((credential) => credential !== "")
  const token = inHeaders.cookies === undefined ? undefined : session.exec(inHeaders.cookies)?.[1]
  return {
    url: inQuery.url,
    headers: inHeaders.headers,
    credentials: given.map((text) => Redacted.make(text)),
    ...(inUrl.length === 0 ? {} : { hasKeyInUrl: true }),
    ...(token === undefined ? {} : { session: Redacted.make(token) }),
  }
}

/** The contract's facts about a path, which the server needs before it routes a request. */
export interface PathFacts {
  readonly methods: ReadonlyArray<string>
  /** True where a request begins a swap: no HEAD by way of GET (decision 12); signed (decision 47). */
  readonly beginsSwap?: boolean
  /**
   * True for the operator's paths, which no page may read. A key that may operate must not live in a page, where
   * every script can read it. A service on the operator's own machine can be reached from every page that the
   * operator opens, so figures and switches are not for pages either.
   */
  readonly isClosed?: boolean
  /** Headers of every answer under the path, problems included. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The facts of each path. A path can have parameters, as in `/providers/:name/switch`. */
export type Paths = ReadonlyMap<string, PathFacts>

/** Whether a part of a path can be a value. After a `;` the router would read a query, and so another path. */
const isValue = (part: string | undefined): boolean =>
  part !== undefined && part !== "" && !part.includes(";")

const fits = (template: string, path: string): boolean => {
  const wanted = template.split("/")
  const given = path.split("/")
  return wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(":") ? isValue(given[index]) : part === given[index])
}

/**
 * The contract's path for a request's path, with parameter names in place of values: fit for logs and labels, where
 * the values are not. A path has one spelling here, while the router accepts many, so a request of no known path must
 * not reach the router: rights are looked up by path.
 */
export const knownPath = (paths: Paths, path: string): string | undefined => {
  if (paths.has(path)) return path
  for (const template of paths.keys()) {
    if (template.includes(":") && fits(template, path)) return template
  }
  return undefined
}
