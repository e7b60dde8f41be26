import { Redacted } from "effect"

const parameterName = "apikey"
const headerName = "x-api-key"
/** Only such a query can name the parameter; most requests are spared the reading of theirs. */
const mayHoldKey = /apikey|%/i
const bearer = /^bearer +/i

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

/**
 * Takes the API key out of a request: from the query parameter `apiKey` in any case, from `X-API-Key` and
 * from `Authorization: Bearer` (decision 1). The rest of the query keeps its order.
 */
export const hideCredentials = (request: Request): Hidden => {
  const { url, found: inQuery } = hideInQuery(request.url)
  const headers = new Headers(request.headers)
  const found = [...inQuery]
  const key = headers.get(headerName)
  if (key !== null) found.push(key)
  const authorization = headers.get("authorization")
  if (authorization !== null && bearer.test(authorization)) found.push(authorization.replace(bearer, ""))
  headers.delete(headerName)
  headers.delete("authorization")
  const given = [...new Set(found)].filter((credential) => credential !== "")
  return { url, headers, credentials: given.map((text) => Redacted.make(text)) }
}
