import { Context, Effect, Layer, Option } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { HttpClientError, TransportError } from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

/** A response whose reading, when it is interrupted, ends the exchange instead of going on unseen. */
const interruptible = (
  response: HttpClientResponse.HttpClientResponse,
  exchange: AbortController,
): HttpClientResponse.HttpClientResponse =>
  new Proxy(response, {
    get: (target, member) =>
      member === "text"
        ? Effect.onInterrupt(target.text, () => Effect.sync(() => exchange.abort()))
        : Reflect.get(target, member),
  })

/** Nothing but a URL to read: what the runtime's fetch takes as it stands. */
const isPlainGet = ({ method, body, urlParams, hash }: HttpClientRequest.HttpClientRequest): boolean =>
  method === "GET" && body._tag === "Empty" && urlParams.params.length === 0 && Option.isNone(hash)

/**
 * The library's client does more for each request than the exchange itself takes: it parses the URL twice and
 * registers the response with the garbage collector. Reading a URL, which every quote does, needs neither.
 */
const get = (request: HttpClientRequest.HttpClientRequest) =>
  Effect.callback<HttpClientResponse.HttpClientResponse, HttpClientError>((resume) => {
    const exchange = new AbortController()
    fetch(request.url, { headers: request.headers, signal: exchange.signal }).then(
      (response) =>
        resume(Effect.succeed(interruptible(HttpClientResponse.fromWeb(request, response), exchange))),
      (cause) => resume(Effect.fail(new HttpClientError({ reason: new TransportError({ request, cause }) }))),
    )
    return Effect.sync(() => exchange.abort())
  })

/**
 * An HTTP client that sends what changes something exactly once. The runtime's own sends a request a second
 * time, without a word, when a kept connection is cut before the answer: an opening that happened would then
 * happen twice. So such requests get a connection of their own, which is not kept.
 */
export const fetchOnce: Layer.Layer<HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const unpooled = yield* Effect.acquireRelease(
      Effect.sync(() => Deno.createHttpClient({ poolMaxIdlePerHost: 0 })),
      (client) => Effect.sync(() => client.close()),
    )
    const fetchUnpooled: typeof fetch = (input, init) => fetch(input, { ...init, client: unpooled })
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
