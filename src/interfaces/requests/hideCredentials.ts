import { Redacted } from "effect"
import * as Headers from "effect/http/Headers"

const parameterName = "apikey"
const headerName = "x-api-key"
/** Matches every query that can name the parameter; most queries do not, and need not be parsed. */
const mayHoldKey = /apikey|%/i
const bearer = /^bearer +/i

/**
 * The cookie of a session of the dashboard. A name that begins so is taken by browsers only from this very host, by
 * https or from the operator's own machine (RFC 6265bis 4.1.3.2).
 */
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
