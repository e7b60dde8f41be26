import { Redacted } from "effect"

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
  readonly url: string
  readonly headers: Headers
  readonly credentials: ReadonlyArray<Redacted.Redacted<string>>
}

/** The URL without the keys in its query, and those keys. */
const hideInQuery = (text: string): { readonly url: string; readonly found: ReadonlyArray<string> } => {
  const query = text.indexOf("?")
  if (query < 0 || !mayHoldKey.test(text.slice(query))) return { url: text, found: [] }
  const url = new URL(text)
  const named = [...url.searchParams.keys()].filter((name) => name.toLowerCase() === parameterName)
  const found: Array<string> = []
  for (const name of new Set(named)) {
    found.push(...url.searchParams.getAll(name))
    url.searchParams.delete(name)
  }
  return { url: named.length === 0 ? text : url.href, found }
}

/** The text of a part of a path; as it is where it is not encoded as it should be. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The URL without the key that clients of a JSON-RPC URL have in its path, and that key. */
const hideInPath = (text: string): { readonly url: string; readonly found: ReadonlyArray<string> } => {
  if (!mayBeRpc.test(text)) return { url: text, found: [] }
  const url = new URL(text)
  const [first = "", key, ...rest] = url.pathname.split("/").filter((part) => part !== "")
  if (decoded(first).toLowerCase() !== rpc || key === undefined) return { url: text, found: [] }
  url.pathname = [first, hiddenKey, ...rest].join("/")
  return { url: url.href, found: [decoded(key)] }
}

/**
 * Takes the API key out of a request: from the query parameter `apiKey` in any case, from `X-API-Key`, from
 * `Authorization: Bearer` (decision 1), and from the path of `/rpc`. The rest of the query keeps its order.
 */
export const hideCredentials = (request: Request): Hidden => {
  const { url: path, found: inPath } = hideInPath(request.url)
  const { url, found: inQuery } = hideInQuery(path)
  const headers = new Headers(request.headers)
  const found = [...inPath, ...inQuery]
  const key = headers.get(headerName)
  if (key !== null) found.push(key)
  const authorization = headers.get("authorization")
  if (authorization !== null && bearer.test(authorization)) found.push(authorization.replace(bearer, ""))
  headers.delete(headerName)
  headers.delete("authorization")
  const given = [...new Set(found)].filter((credential) => credential !== "")
  return { url, headers, credentials: given.map((text) => Redacted.make(text)) }
}
