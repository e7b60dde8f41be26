import { Context, Effect, Layer, type Scope } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { answer, type AnswerOptions } from "../../src/http/answer.ts"
import { Received } from "../../src/http/Received.ts"

/** What came with a request that has no credential. */
export const nothingReceived: Context.Service.Shape<typeof Received> = { credentials: [] }

/** Answers requests as the server does, without a socket: `routes` are registered with a router of their own. */
export const answering = <E>(routes: Layer.Layer<never, E, HttpRouter.HttpRouter>, options: AnswerOptions) =>
  Effect.fnUntraced(function* (path: string, init: RequestInit = {}, received = nothingReceived) {
    const router = yield* HttpRouter.HttpRouter
    const context = Context.add(yield* Effect.context<never>(), HttpMiddleware.TracerDisabledWhen, () => true)
    const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(
      context,
    )(answer(router.asHttpEffect(), options))
    const request = new Request(`http://broker.test${path}`, init)
    return yield* Effect.promise(() => handle(request, Context.make(Received, received)))
  }, Effect.provide(Layer.provideMerge(routes, HttpRouter.layer)))
