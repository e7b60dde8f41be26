import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { storableText } from "#domain/storable.ts"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { PageRequest } from "./Page.ts"

const startOfQuery = /^[^?]*\??/

/** The parameters of a query or a form. U+FFFD stands for what no database takes: a search for it finds nothing. */
const readParameters = (text: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(text)].map(([name, value]) => [name, storableText(value)]))

const firstOf = (all: URLSearchParams) => {
  return (name: string): string | undefined => {
    const value = all.get(name)?.trim()
    return value === "" ? undefined : value
  }
}

/** Reads a parameter of the query: its first value, without spaces around it. */
export const queryOf = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ url }) => firstOf(readParameters(url.replace(startOfQuery, ""))),
)

/** The request for a page, as the page reads it. */
export const askedBy = Effect.fnUntraced(function* <V extends Viewer>(viewer: V) {
  const params = yield* HttpRouter.params
  const asked: PageRequest<V> = {
    viewer,
    param: (name) => storableText(params[name] ?? ""),
    query: yield* queryOf,
    now: yield* currentMillis,
  }
  return asked
})

const noForm = new InvalidRequest({ errors: issueAbout("form", "has to be sent by a form of the dashboard") })

/** The fields of a form. The body is no longer than the server reads. */
export const formFields = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const type = request.headers["content-type"] ?? ""
  if (!type.startsWith("application/x-www-form-urlencoded")) return yield* noForm
  const text = yield* Effect.mapError(request.text, () => noForm)
  const all = readParameters(text)
  const valueOf = firstOf(all)
  return {
    field: (name: string): string => valueOf(name) ?? "",
    fields: (name: string): ReadonlyArray<string> => all.getAll(name),
  }
})

/** Path and query of a request, to come back to after signing in. */
export const targetOf = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => url)
