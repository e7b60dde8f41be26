import { Clock, Context, Effect, Layer, type Scope } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { type ListenFailed, readable, serve } from "../platform/serve.ts"
import { answer, type AnswerOptions } from "./answer.ts"
import { type Accepted, receive } from "./receive.ts"
import type { ClientAddress } from "./clientAddress.ts"
import { Received } from "./Received.ts"
import { makeRepeats, type Meter, type Repeatable } from "./Repeats.ts"

/** Requests that change nothing. */
const readMethods: ReadonlyArray<string> = ["GET", "HEAD", "OPTIONS"]

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
        // `answer` makes the span of a request; the library's own has the query, where addresses stand.
        const context = Context.add(
          yield* Effect.context<never>(),
          HttpMiddleware.TracerDisabledWhen,
          () => true,
        )
        const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(
          context,
        )(answer(router.asHttpEffect(), options))
        const clock = yield* Clock.Clock
        const repeats = makeRepeats(context, () => clock.currentTimeMillisUnsafe())

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
            request,
            Context.make(Received, { ...received, address, offer, meter }),
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
            const accepted = receive(readable(incoming))
            return accepted instanceof Promise
              ? accepted.then((whole) => answerTo(incoming, whole, address))
              : answerTo(incoming, accepted, address)
          },
        })
        return Server.of({ url })
      }),
    )
}
