import { Redacted } from "effect"
import * as Headers from "effect/http/Headers"

const parameterName = "apikey"
const headerName = "x-api-key"
/** Matches every query that can name the parameter; most queries do not, and need not be parsed. */
const mayHoldKey = /apikey|%/i
const bearer = /^bearer +/i

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

/** The headers without the keys in them, and those keys. */
const hideInHeaders = (given: GivenHeaders) => {
  const kept: Record<string, string> = {}
  const found: Array<string> = []
  given.forEach((value, name) => {
    if (name === headerName) found.push(value)
    else if (name !== "authorization") kept[name] = value
    else if (bearer.test(value)) found.push(value.replace(bearer, ""))
  })
  return { headers: Headers.fromRecordUnsafe(kept), found }
}

/**
 * Takes the API keys out of a request: from the query parameter `apiKey` in any case, from `X-API-Key`, from
 * `Authorization: Bearer` (decision 1), and from the path of `/rpc`. The rest of the query keeps its order. `target`
 * is path and query.
 */
export const hideCredentials = (target: string, headers: GivenHeaders): Hidden => {
  const inPath = hideInPath(target)
  const inQuery = hideInQuery(inPath.url)
  const inHeaders = hideInHeaders(headers)
  const found = [...inPath.found, ...inQuery.found, ...inHeaders.found]
  const given = [...new Set(found)].filter((credential) => credential !== "")
  return {
    url: inQuery.url,
    headers: inHeaders.headers,
    credentials: given.map((text) => Redacted.make(text)),
  }
}
