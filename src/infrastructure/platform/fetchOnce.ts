import { Context, Effect, Layer, Option } from "effect"
import { FetchHttpClient, HttpClient, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { DecodeError, HttpClientError, TransportError } from "effect/http/HttpClientError"

/** Redirects are responses: following one would carry keys and orders to an unnamed host. */
const redirect = "manual"

/** The text of a response, read once. The library keeps it for a second reader, which takes longer than reading. */
const textOf = (
  response: HttpClientResponse.HttpClientResponse,
  source: Response,
  exchange: AbortController,
): Effect.Effect<string, HttpClientError> =>
  Effect.callback((resume) => {
    source.text().then(
      (text) => resume(Effect.succeed(text)),
      (cause) => {
        const reason = new DecodeError({ request: response.request, response, cause })
        resume(Effect.fail(new HttpClientError({ reason })))
      },
    )
    return Effect.sync(() => exchange.abort())
  })

/** A response that ends the exchange when its reading is interrupted, instead of reading on unseen. */
const interruptible = (
  request: HttpClientRequest.HttpClientRequest,
  source: Response,
  exchange: AbortController,
): HttpClientResponse.HttpClientResponse =>
  new Proxy(HttpClientResponse.fromWeb(request, source), {
    get: (target, member) =>
      member === "text" ? textOf(target, source, exchange) : Reflect.get(target, member),
  })

/** Whether the request only reads a URL, so that the runtime's fetch can take it as it is. */
const isPlainGet = ({ method, body, urlParams, hash }: HttpClientRequest.HttpClientRequest): boolean =>
  method === "GET" && body._tag === "Empty" && urlParams.params.length === 0 && Option.isNone(hash)

/** Reads a URL with the runtime's fetch: the library's client costs more for each request than the exchange itself. */
const get = (request: HttpClientRequest.HttpClientRequest) =>
  Effect.callback<HttpClientResponse.HttpClientResponse, HttpClientError>((resume) => {
    const exchange = new AbortController()
    fetch(request.url, { headers: request.headers, redirect, signal: exchange.signal }).then(
      (source) => resume(Effect.succeed(interruptible(request, source, exchange))),
      (cause) => resume(Effect.fail(new HttpClientError({ reason: new TransportError({ request, cause }) }))),
    )
    return Effect.sync(() => exchange.abort())
  })

/**
 * An HTTP client that sends requests with side effects exactly once. The runtime's own client silently sends a request
 * again when a kept connection is cut before the answer: an opening could then happen twice. Such requests therefore
 * get a connection of their own, which is not kept. Redirects are not followed.
 */
export const fetchOnce: Layer.Layer<HttpClient.HttpClient> = Layer.effect(HttpClient.HttpClient)(
  Effect.gen(function* () {
    const unpooled = yield* Effect.acquireRelease(
      Effect.sync(() => Deno.createHttpClient({ poolMaxIdlePerHost: 0 })),
      (client) => Effect.sync(() => client.close()),
    )
    const fetchUnpooled: typeof fetch = (input, init) => fetch(input, { ...init, redirect, client: unpooled })
    const careful = Context.get(
      yield* Layer.build(
        FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetchUnpooled))),
      ),
      HttpClient.HttpClient,
    )
    return HttpClient.makeWith<never, never, HttpClientError, never>(
      Effect.flatMap((request) => isPlainGet(request) ? get(request) : careful.execute(request)),
      Effect.succeed,
    )
  }),
)
