import { Clock, Context, Effect, Layer, Metric, References, Tracer } from "effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import { type ListenFailed, serve } from "../../platform/serve.ts"
import { answer, type AnswerOptions } from "./answer.ts"
import { type Accepted, receive } from "./receive.ts"
import type { ClientAddress } from "./clientAddress.ts"
import type { Meter } from "../../limits/admission.ts"
import { makeRepeats, type Repeatable } from "./Repeats.ts"
import { makeWebHandler } from "./webHandler.ts"

/** Requests that change nothing. */
const readMethods: ReadonlyArray<string> = ["GET", "HEAD", "OPTIONS"]

/** More services than a request adds. */
const mostAdded = 32

/**
 * What requests are answered in, up to their endpoint, which brings its own services: how to log, to trace and to
 * tell the time. All that there is would be copied several times for each request.
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
    // `answer` makes the span of a request; the library's own has the query, where addresses stand.
    Context.add(HttpMiddleware.TracerDisabledWhen, () => true),
  )
  return Context.makeUnsafe(mapUnsafe, { maxDepth: mostAdded })
}

/** Where the service listens, and what its answers have in common. */
export interface ServerOptions extends AnswerOptions {
  readonly hostname: string
  /** 0 picks a free one. */
  readonly port: number
  readonly clientAddress: ClientAddress
}

/** The HTTP server: it runs while its layer does, then lets the requests in flight finish. */
export class Server extends Context.Service<Server, {
  /** Where it listens. */
  readonly url: URL
}>()("swap-broker/http/Server") {
  /** Serves what is registered with the router. */
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
        const repeats = makeRepeats(requests, () => clock.currentTimeMillisUnsafe())

        /** Keeps the answer where it is offered for that; what may have changed something ends all repeats. */
        const answerTo = async (incoming: Request, { request, received }: Accepted, address: string) => {
          const isRead = readMethods.includes(incoming.method)
          const keep = repeats.keeper(incoming)
          let offered: Repeatable | undefined
          let metered: Meter | undefined
          const offer = (repeatable: Repeatable) => {
            offered = repeatable
          }
          const meter = (own: Meter) => {
            metered = own
          }
          if (!isRead) repeats.forget()
          const response = await handle(
            { request, received: { ...received, address, offer, meter } },
            incoming,
          )
          if (!isRead) repeats.forget()
          if (offered !== undefined) keep(offered, response, metered)
          return response
        }
        const url = yield* serve({
          hostname: options.hostname,
          port: options.port,
          handler: (incoming, peer) => {
            const repeated = repeats.find(incoming)
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
