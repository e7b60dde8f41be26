import { Context, Effect, type Scope } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import { ClientAbort } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { readTimeout } from "#infrastructure/platform/readTimeout.ts"
import type { Accepted } from "./receive.ts"
import { RequestMeta } from "../../requests/RequestMeta.ts"

/** The client that waits for an answer. The signal is aborted when it is gone. */
export type Client = Pick<Request, "signal">

/** Answers a request that was received. */
export type AcceptedHandler = (accepted: Accepted, client: Client) => Promise<Response>

interface Waiting {
  readonly resolve: (response: Response) => void
  readonly client: Client
}

/** The contexts of an answer: before its endpoint, and while it is streamed, when the endpoint's services are gone. */
export interface HandlerContext {
  readonly requests: Context.Context<never>
  readonly streams: Context.Context<never>
}

/**
 * A response with text, whose type is among `headers`. Headers are set one by one, which takes a tenth of the time
 * that the runtime takes for all at once: more than the rest of an answer.
 */
export const textResponse = (
  text: string,
  status: number,
  headers: ReadonlyArray<readonly [name: string, value: string]>,
): Response => {
  const response = status === 200 ? new Response(text) : new Response(text, { status })
  for (const [name, value] of headers) response.headers.set(name, value)
  return response
}

/** The time after which a stream ends of which the client took nothing: the client is gone, or means harm. */
const unreadMillis = 60_000

/** The answer for the runtime. Resources of a stream are released when the stream ends. */
const outgoing = (
  response: HttpServerResponse.HttpServerResponse,
  withoutBody: boolean,
  client: Client,
  context: Context.Context<never>,
): Response => {
  if (withoutBody) return HttpServerResponse.toWeb(response, { withoutBody })
  const { body, headers, status } = response
  if (body._tag === "Uint8Array" && body.text !== undefined) {
    return textResponse(body.text, status, Object.entries(headers))
  }
  const whole = HttpEffect.scopeTransferToStream(response)
  if (body._tag !== "Stream") return HttpServerResponse.toWeb(whole)
  const streamed = HttpServerResponse.toWeb(whole, { context, signal: client.signal })
  return streamed.body === null ? streamed : new Response(readTimeout(streamed.body, unreadMillis), streamed)
}

/**
 * Makes a handler of an effect. The library's own handler takes a `Request` of the runtime, which had to be made anew
 * without its credentials; that took longer than the way through all routes.
 */
export const makeWebHandler = <E>(
  app: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    E,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >,
  { requests, streams }: HandlerContext,
): AcceptedHandler => {
  const waiting = new WeakMap<HttpServerRequest.HttpServerRequest, Waiting>()

  const handled = HttpEffect.toHandled(app, (request, response) => {
    const found = waiting.get(request)
    // The entry is removed at once: it refers to its request, and the two would stay until a full garbage collection.
    waiting.delete(request)
    found?.resolve(outgoing(response, request.method === "HEAD", found.client, streams))
    return Effect.void
  })

  return ({ request, meta }, client) =>
    new Promise((resolve) => {
      waiting.set(request, { resolve, client })
      const own = requests.pipe(
        Context.add(RequestMeta, meta),
        Context.add(HttpServerRequest.HttpServerRequest, request),
      )
      const fiber = Effect.runForkWith(own)(handled)
      if (fiber.pollUnsafe() !== undefined) return
      const stop = () => fiber.interruptUnsafe(undefined, ClientAbort.annotation)
      if (client.signal.aborted) return stop()
      client.signal.addEventListener("abort", stop, { once: true })
      fiber.addObserver(() => client.signal.removeEventListener("abort", stop))
    })
}
