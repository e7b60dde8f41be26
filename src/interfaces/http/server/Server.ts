import { Clock, Context, Effect, Layer, Metric, References, Tracer } from "effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import { Listen, type ListenFailed } from "#infrastructure/platform/serve.ts"
import { answer, type AnswerOptions } from "./answer.ts"
import { type Accepted, receive } from "./receive.ts"
import type { ClientAddress } from "./clientAddress.ts"
import type { Meter } from "#application/limits/admitRequest.ts"
import type { Repeatable } from "../../requests/RequestMeta.ts"
import { makeResponseCache } from "./ResponseCache.ts"
import { makeWebHandler } from "./webHandler.ts"

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
  /** The URL that the server listens on. */
  readonly url: URL
}>()("swap-broker/http/Server") {
  /** Serves the routes of the router. */
  static readonly layer = (
    options: ServerOptions,
  ): Layer.Layer<Server, ListenFailed, HttpRouter.HttpRouter> =>
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
          const response = await handle(
            { request, meta: { ...meta, address, offer, meter } },
            incoming,
          )
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
