import { Context, Effect, Layer, Predicate, Redacted, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { HttpClient, HttpClientRequest } from "effect/http"
import { idempotencyKeyHeader } from "#api/Idempotency.ts"
import { mostListed } from "#api/OperatorBodies.ts"
import { answeredOtherwise, type CommandFailed, notAnswered, Problem, problemFailed } from "./failures.ts"

/** An endpoint of the operator's part of the contract. */
export type Endpoint = HttpApiEndpoint.Top

/** The members of a request by their names in the contract, wherever they travel; undefined ones are absent. */
export type Given = Readonly<Record<string, unknown>>

/** The JSON of an answer, and where a list goes on that has more. */
export interface Answer {
  readonly text: string
  readonly next: string | undefined
}

/**
 * The operator's acts, by the endpoints of the contract: over HTTP at a running service (`overNetwork`), or through its
 * handlers in this process over the opened database (`overDatabase`). Every change is in the audit log.
 */
export class OperatorClient extends Context.Service<OperatorClient, {
  readonly ask: (endpoint: Endpoint, given: Given) => Effect.Effect<Answer, CommandFailed>
}>()("swap-broker/cli/OperatorClient") {}

/** The header that an order is repeated under is written in small letters, as the contract's schema has it. */
const inHeader = idempotencyKeyHeader.toLowerCase()

/** The request of an act: members of its path, its header, and all others in its body, or in its query where it has none. */
const requestOf = ({ method, path, payload }: Endpoint, given: Given) => {
  const places = path.split("/")
  const others = Object.entries(given)
    .filter(([name, value]) => value !== undefined && name !== inHeader && !places.includes(`:${name}`))
  const placed = places
    .map((place) => place.startsWith(":") ? encodeURIComponent(`${given[place.slice(1)]}`) : place)
    .join("/")
  const key = given[inHeader]
  return HttpClientRequest.make(method)(placed).pipe(
    HttpClientRequest.setHeaders(key === undefined ? {} : { [inHeader]: `${key}` }),
    payload.size > 0
      ? HttpClientRequest.bodyJsonUnsafe(Object.fromEntries(others))
      : HttpClientRequest.setUrlParams(
        others.flatMap(([name, value]) =>
          (Array.isArray(value) ? value : [value]).map((one) => [name, `${one}`] as const)
        ),
      ),
  )
}

/** The offset of the next page, as the answer's `Link` says. */
const nextOf = (link: string | undefined): string | undefined => {
  const [, offset] = /[?&]offset=([^&>]+)[^>]*>; rel="next"/.exec(link ?? "") ?? []
  return offset === undefined ? undefined : decodeURIComponent(offset)
}

const readProblem = Schema.decodeUnknownEffect(Schema.fromJsonString(Problem))

export const asking = (httpClient: HttpClient.HttpClient, url: URL | string): OperatorClient["Service"] => ({
  ask: Effect.fnUntraced(function* (endpoint, given) {
    const request = HttpClientRequest.prependUrl(requestOf(endpoint, given), `${url}`)
    const [{ headers, status }, text] = yield* httpClient.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (text) => [response, text] as const)),
      Effect.mapError(notAnswered),
    )
    if (status < 300) return { text, next: nextOf(headers.link) }
    const problem = yield* Effect.mapError(
      readProblem(text),
      () => answeredOtherwise(new URL(request.url).origin, `${status} without a problem`),
    )
    return yield* problemFailed(status, problem)
  }),
})

/** The service to call, and a key with the scope `operate`. */
export interface ServiceOptions {
  readonly url: URL
  readonly apiKey: Redacted.Redacted<string>
}

/** Calls a running service; the audit log names the account of the API key as the actor. */
export const overNetwork = (
  { url, apiKey }: ServiceOptions,
): Layer.Layer<OperatorClient, never, HttpClient.HttpClient> =>
  Layer.effect(OperatorClient)(Effect.map(HttpClient.HttpClient, (httpClient) =>
    asking(
      HttpClient.mapRequest(httpClient, HttpClientRequest.setHeader("x-api-key", Redacted.value(apiKey))),
      url,
    )))

const unexpected = (reason: string) => answeredOtherwise("The service", reason)

/** An answer as it came, each number with all its digits. */
export const asWritten = (text: string) =>
  Effect.try({
    try: (): unknown =>
      JSON.parse(
        text,
        (_, value, { source }) =>
          typeof value === "number" && source !== undefined ? JSON.rawJSON(source) : value,
      ),
    catch: (cause) => unexpected(`${cause}`),
  })

export const readAs = <A>(schema: Schema.Decoder<A>) => {
  const decode = Schema.decodeEffect(Schema.fromJsonString(schema))
  return (text: string) => Effect.mapError(decode(text), ({ message }) => unexpected(message))
}

const isList = (body: unknown): body is ReadonlyArray<unknown> => Array.isArray(body)

const itemsOf = (text: string) =>
  Effect.filterOrFail(asWritten(text), isList, () => unexpected("it is no list"))

const idIn = (item: unknown): number =>
  Number(Predicate.hasProperty(item, "id") ? JSON.stringify(item.id) : NaN)

/** Several lists as one by id, each item once, and no more than `most` of them. */
export const inOneList = Effect.fnUntraced(
  function* (texts: ReadonlyArray<string>, isAscending: boolean, most: number) {
    const [only, ...others] = texts
    if (only !== undefined && others.length === 0) return only
    const items = (yield* Effect.forEach(texts, itemsOf)).flat()
    const byId = [...new Map(items.map((item) => [idIn(item), item])).entries()]
      .toSorted(([one], [other]) => isAscending ? one - other : other - one)
    return JSON.stringify(byId.slice(0, most).map(([, item]) => item))
  },
)

/** The whole answer to an act. A list is read page by page, to its end or until it has `most` items. */
export const answerTo = Effect.fnUntraced(function* (endpoint: Endpoint, given: Given, most = Infinity) {
  const { ask } = yield* OperatorClient
  let page = yield* ask(endpoint, given)
  if (page.next === undefined) return page.text
  const all = [...yield* itemsOf(page.text)]
  while (page.next !== undefined && all.length < most) {
    const limit = Math.min(mostListed, most - all.length)
    page = yield* ask(endpoint, { ...given, limit, offset: page.next })
    all.push(...yield* itemsOf(page.text))
  }
  return JSON.stringify(all)
})
