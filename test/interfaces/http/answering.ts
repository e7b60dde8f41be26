import { Context, Effect, Layer } from "effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { answer, type AnswerOptions } from "#interfaces/http/server/answer.ts"
import type { RequestMeta } from "#interfaces/requests/RequestMeta.ts"
import { makeWebHandler } from "#interfaces/http/server/Server.ts"

/** What came with a request that has no credential. */
export const noMeta: Context.Service.Shape<typeof RequestMeta> = { credentials: [] }

/** Answers requests as the server does, without a socket: `routes` are registered with a router of their own. */
export const answering = <E>(routes: Layer.Layer<never, E, HttpRouter.HttpRouter>, options: AnswerOptions) =>
  Effect.fnUntraced(function* (path: string, init: RequestInit = {}, meta = noMeta) {
    const router = yield* HttpRouter.HttpRouter
    const context = Context.add(yield* Effect.context<never>(), HttpMiddleware.TracerDisabledWhen, () => true)
    const handle = makeWebHandler(answer(router.asHttpEffect(), options), {
      requests: context,
      streams: context,
    })
    const client = new Request(`http://broker.test${path}`, init)
    const request = HttpServerRequest.fromWeb(client)
    return yield* Effect.promise(() => handle({ request, meta }, client))
  }, Effect.provide(Layer.provideMerge(routes, HttpRouter.layer)))
