import { Effect, Predicate } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { combineFaults, type Faults, InvalidRequest, wrong } from "../domain/Faults.ts"
import { BodyNotJson } from "./HttpFailure.ts"
import type { RawParameters } from "./readParameters.ts"

declare global {
  interface JSON {
    /** The form whose reviver sees how a number was written, so that none passes through a double. */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

/** The parameters of the query string. */
export const queryParameters: Effect.Effect<RawParameters, never, HttpServerRequest.ParsedSearchParams> =
  HttpServerRequest.ParsedSearchParams

const notAnObject = new InvalidRequest({
  errors: wrong("body", "must be a JSON object with the parameters as its members"),
})

const unreadable = new InvalidRequest({ errors: wrong("body", "is not JSON that can be read") })

/** The text of a body, which may be empty, and else does not say that it is something other than JSON. */
export const jsonBody = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.orDie(request.text)
  const contentType = request.headers["content-type"] ?? "application/json"
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType)
  return isJson || text.trim() === "" ? text : yield* new BodyNotJson()
})

/** The members of a JSON body; null stands for a member that is absent. An empty body has none. */
const bodyRead = (parse: (text: string) => unknown) =>
  Effect.gen(function* () {
    const text = yield* jsonBody
    if (text.trim() === "") return {}
    const body = yield* Effect.try({ try: () => parse(text), catch: () => unreadable })
    if (!Predicate.isObject(body)) return yield* notAnObject
    return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  })

/** The members of a JSON body, whose numbers are the text that they were written as (decision 2). */
export const bodyParameters = bodyRead((text) =>
  JSON.parse(text, (_, value, { source }) => typeof value === "number" ? source : value)
)

/** The members of a JSON body in which no number is an amount. */
export const bodyMembers = bodyRead((text) => JSON.parse(text))

/** Members that the query and the body both have, with different values (decision 4). */
const contradictions = (query: RawParameters, body: RawParameters): Faults =>
  combineFaults(
    Object.keys(body)
      .filter((name) => Object.hasOwn(query, name) && query[name] !== body[name])
      .map((name) => wrong(name, "is in the query and in the body with different values")),
  )

/** The parameters of query and body together, and where the two contradict each other (decision 4). */
export const queryAndBodyParameters = Effect.gen(function* () {
  const query = yield* queryParameters
  const body = yield* bodyParameters
  const raw: RawParameters = { ...body, ...query }
  return { raw, faults: contradictions(query, body) }
})
