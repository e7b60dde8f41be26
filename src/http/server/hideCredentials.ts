import { Redacted } from "effect"
import * as Headers from "effect/http/Headers"

const parameterName = "apikey"
const headerName = "x-api-key"
/** Only such a query can name the parameter; most requests are spared the reading of theirs. */
const mayHoldKey = /apikey|%/i
const bearer = /^bearer +/i

/** Only such a path can hold a key: the first part of `/rpc/{apiKey}`, which may be encoded. */
const mayBeRpc = /^[^?#]*(?:rpc|%)/i
const rpc = "rpc"

/** Stands in a path where the key was. */
const hiddenKey = "hidden"

/** A request without its credentials, and the different credentials that it came with. */
export interface Hidden {
  /** Path and query. */
  readonly url: string
  readonly headers: Headers.Headers
  readonly credentials: ReadonlyArray<Redacted.Redacted<string>>
}

/** Path and query need an origin to be read; nothing depends on which. */
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

/** The text of a part of a path; as it is where it is not encoded as it should be. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The path and query without the key that clients of a JSON-RPC URL have in its path, and that key. */
const hideInPath = (text: string): { readonly url: string; readonly found: ReadonlyArray<string> } => {
  if (!mayBeRpc.test(text)) return { url: text, found: [] }
  const url = new URL(`${anyOrigin}${text}`)
  const [first = "", key, ...rest] = url.pathname.split("/").filter((part) => part !== "")
  if (decoded(first).toLowerCase() !== rpc || key === undefined) return { url: text, found: [] }
  url.pathname = [first, hiddenKey, ...rest].join("/")
  return { url: written(url), found: [decoded(key)] }
}

/** The runtime's own headers; its iterator over them takes several times as long as this. */
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
 * Takes the API key out of a request: from the query parameter `apiKey` in any case, from `X-API-Key`, from
 * `Authorization: Bearer` (decision 1), and from the path of `/rpc`. The rest of the query keeps its order.
 * `target` is path and query.
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
