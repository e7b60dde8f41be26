import { Clock, Context, Effect, Layer, Metric, References, type Scope, Tracer } from "effect"
import { HttpEffect, HttpMiddleware, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Listen } from "#infrastructure/platform/serve.ts"
import { answer, type AnswerOptions } from "./answer.ts"
import { type Accepted, receive } from "./receive.ts"
import type { Meter } from "#application/limits/admitRequest.ts"
import { type Repeatable, RequestMeta } from "../../requests/RequestMeta.ts"
import { type AddressBlock, isWithin, networkOf, parseAddress } from "#infrastructure/platform/IpAddress.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { limitField, limitValue } from "#application/limits/RateLimits.ts"
import { isHost } from "../../requests/PublicUrl.ts"
import { newTraceId } from "../../requests/failedRequests.ts"
import { ClientAbort } from "effect/http/HttpServerError"
import { readTimeout } from "#infrastructure/platform/readTimeout.ts"

const unmetered: Meter = () => undefined

interface CacheEntry {
  readonly body: string
  readonly until: number
  readonly meter: Meter
  /** Counts one repetition, which took so many seconds. */
  readonly counter: () => (seconds: number) => void
  readonly headers: () => ReadonlyArray<[string, string]>
}

/**
 * The longest time for which an answer is repeated, in milliseconds. The right to it was checked when it was made, by
 * knowledge of up to 900 ms before, and a revoked key must be of no use after a second.
 */
const longestMillis = 100

/** The most answers that are kept, of a few kilobytes each. Far fewer requests are repeated at one time. */
const mostKept = 512

const requestIdHeader = "x-request-id"

/** Headers that differ in each answer, and so are not kept. */
const ownHeaders: ReadonlyArray<string> = [requestIdHeader, limitField]

/** Headers of requests whose answers are not repeated: they go on with the caller's trace, or have a body. */
const ownAnswer: ReadonlyArray<string> = ["traceparent", "b3", "content-length", "transfer-encoding"]

/** The key of an answer: the request and its caller's credentials. Nothing where the answer is not repeated. */
const keyOf = (request: Request): string | undefined => {
  if (request.method !== "GET") return undefined
  const { headers } = request
  // A `Host` that is none can make the URL look like another's: such a request is not received.
  const host = headers.get("host")
  if (host !== null && !isHost(host)) return undefined
  if (ownAnswer.some((name) => headers.has(name))) return undefined
  return [request.url, headers.get("x-api-key"), headers.get("authorization"), headers.get("origin")].join(
    "\n",
  )
}

/** Makes a value at its first use. Most values that are kept are never used. */
const once = <A>(make: () => A): () => A => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

/**
 * Answers that are repeated for moments, without the way through routes, accounts and providers. Many callers ask for
 * the same busy pair, and their answers differ in the request's id only. An answer is kept when its endpoint offers
 * it, which it does only for quotes that were shared already: requests that do not come again take no room. Every
 * request that is not read only empties the store, as it may change answers. `context` holds the metrics; `now` tells
 * epoch milliseconds.
 */
export const makeResponseCache = (context: Context.Context<never>, now: () => number) => {
  const kept = new Map<string, CacheEntry>()
  let changes = 0

  /** Makes a counter that holds its series, as finding them takes longer than counting. */
  const counterOf = ({ route, providers }: Repeatable) => {
    const requestSeconds = metrics.requestSeconds({ method: "GET", route, status: "200" })
    const shared = providers.map((provider) => metrics.quotesShared({ provider, how: "repeated" }))
    return (seconds: number): void => {
      requestSeconds.updateUnsafe(seconds, context)
      for (const series of shared) series.updateUnsafe(1, context)
    }
  }

  return {
    /** The answer to repeat, if there is one and the caller's limits admit the request. */
    find: (request: Request): Response | undefined => {
      if (kept.size === 0) return undefined
      const began = performance.now()
      const key = keyOf(request)
      const found = key === undefined ? undefined : kept.get(key)
      if (key === undefined || found === undefined) return undefined
      if (found.until <= now()) {
        kept.delete(key)
        return undefined
      }
      const standing = found.meter()
      if (standing?.isAdmitted === false) return undefined
      const response = textResponse(found.body, 200, found.headers())
      response.headers.set(requestIdHeader, newTraceId())
      if (standing !== undefined) response.headers.set(limitField, limitValue(standing))
      found.counter()((performance.now() - began) / 1_000)
      return response
    },
    /** Makes the keeper of one answer, for a request that begins now. `forget` meanwhile makes it keep nothing. */
    keeper: (request: Request) => {
      const begun = changes
      return (repeatable: Repeatable, { headers }: Response, meter: Meter = unmetered): void => {
        const key = keyOf(request)
        if (key === undefined || begun !== changes) return
        if (kept.size >= mostKept) kept.clear()
        kept.set(key, {
          body: repeatable.body,
          meter,
          counter: once(() => counterOf(repeatable)),
          until: Math.min(repeatable.until, now() + longestMillis),
          headers: once(() => [...headers].filter(([name]) => !ownHeaders.includes(name))),
        })
      }
    },
    /** Forgets all answers, as something may have changed. */
    forget: (): void => {
      changes += 1
      kept.clear()
    },
  }
}

/** A request's origin as limits count it (`networkOf`), by its peer and `X-Forwarded-For`. */
export type ClientAddress = (peer: string, forwardedFor: string | null) => string

/** The client's address, read from the header's end up to the first proxy that is not trusted. */
export const clientAddress = (trustedProxies: ReadonlyArray<AddressBlock>): ClientAddress => {
  const isTrusted = isWithin(trustedProxies)
  return (peer, forwardedFor) => {
    let client = parseAddress(peer) ?? peer
    if (forwardedFor === null || !isTrusted(client)) return networkOf(client)
    for (const hop of forwardedFor.split(",").reverse()) {
      if (!isTrusted(client)) break
      const named = parseAddress(hop.trim())
      if (named === undefined) break
      client = named
    }
    return networkOf(client)
  }
}

/** The methods of requests that change nothing, where no swap begins by them. */
const readMethods: ReadonlyArray<string> = ["GET", "HEAD", "OPTIONS"]

/** A depth that no request's own services reach. */
const mostAdded = 32

/**
 * The services that requests need before their endpoint, which brings its own: logging, tracing and the time. The
 * whole context would be copied several times for each request.
 */
const surroundings = (context: Context.Context<never>): Context.Context<never> => {
  const { mapUnsafe } = context.pipe(
    Context.pick(
      References.CurrentLoggers,
      References.MinimumLogLevel,
      Tracer.Tracer,
      Metric.MetricRegistry,
      Clock.Clock,
    ),
    // The library's own span is off: it holds the query, where addresses stand. `answer` makes one.
    Context.add(HttpMiddleware.TracerDisabledWhen, () => true),
  )
  return Context.makeUnsafe(mapUnsafe, { maxDepth: mostAdded })
}

/** Options of the server: where it listens, and the headers of its answers. */
export interface ServerOptions extends AnswerOptions {
  readonly hostname: string
  /** 0 picks a free one. */
  readonly port: number
  readonly clientAddress: ClientAddress
}

/** The HTTP server. It runs while its layer does, then lets the requests in flight finish. */
export class Server extends Context.Service<Server, {
  readonly url: URL
}>()("swap-broker/http/Server") {
  /** Serves the routes of the router. */
  static readonly layer = (options: ServerOptions) =>
    Layer.effect(
      Server,
      Effect.gen(function* () {
        const router = yield* HttpRouter.HttpRouter
        const streams = yield* Effect.context<never>()
        const requests = surroundings(streams)
        const handle = makeWebHandler(answer(router.asHttpEffect(), options), { requests, streams })
        const clock = yield* Clock.Clock
        const cache = makeResponseCache(requests, () => clock.currentTimeMillisUnsafe())

        /** Whether a request changes nothing: `GET /swap` opens a channel and uses a quote up. */
        const isReadOnly = ({ method, url }: Request) =>
          readMethods.includes(method) &&
          options.paths.get(URL.parse(url)?.pathname ?? "")?.beginsSwap !== true

        /** Answers a request, and keeps an offered answer. A request that may change something empties the cache. */
        const answerTo = async (incoming: Request, { request, meta }: Accepted, address: string) => {
          const isRead = isReadOnly(incoming)
          const keep = cache.keeper(incoming)
          let offered: Repeatable | undefined
          let metered: Meter | undefined
          const offer = (repeatable: Repeatable) => {
            offered = repeatable
          }
          const meter = (own: Meter) => {
            metered = own
          }
          if (!isRead) cache.forget()
          const response = await handle({ request, meta: { ...meta, address, offer, meter } }, incoming)
          if (!isRead) cache.forget()
          if (offered !== undefined) keep(offered, response, metered)
          return response
        }
        const url = yield* (yield* Listen)({
          hostname: options.hostname,
          port: options.port,
          handler: (incoming, peer) => {
            const repeated = cache.find(incoming)
            if (repeated !== undefined) return repeated
            const address = options.clientAddress(peer(), incoming.headers.get("x-forwarded-for"))
            const accepted = receive(incoming)
            return accepted instanceof Promise
              ? accepted.then((whole) => answerTo(incoming, whole, address))
              : answerTo(incoming, accepted, address)
          },
        })
        return Server.of({ url })
      }),
    )
}

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
