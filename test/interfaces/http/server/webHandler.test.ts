import { assert, describe, it } from "#test/support/it.ts"
import { Context, Deferred, Effect, Fiber, Option, Stream } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { receive } from "#interfaces/http/server/receive.ts"
import { RequestMeta } from "#interfaces/requests/RequestMeta.ts"
import { makeWebHandler } from "#interfaces/http/server/Server.ts"

class Told extends Context.Service<Told, string>()("test/Told") {}

const surroundings = { requests: Context.empty(), streams: Context.make(Told, "of the stream") }

type App = Parameters<typeof makeWebHandler>[0]

/** What `app` answers to a request without a body, whose client hangs up when `hungUp` says so. */
const answerOf = async (app: App, method = "GET", hungUp = new AbortController().signal) => {
  const incoming = new Request("http://broker.test/quotes?apiKey=secret&amount=1", { method })
  return makeWebHandler(app, surroundings)(await receive(incoming), { signal: hungUp })
}

const lines = (ended: Deferred.Deferred<void>) =>
  Effect.acquireRelease(Effect.void, () => Deferred.succeed(ended, undefined)).pipe(
    Effect.as(HttpServerResponse.stream(Stream.make("one\n", "two\n").pipe(Stream.encodeText))),
  )

/** Routes can be stopped; what is around them cannot. */
const untilStopped = (then: Effect.Effect<unknown>) =>
  Effect.interruptible(Effect.onInterrupt(Effect.never, () => then))

describe("a web handler", () => {
  it("gives the request, and apart from it what was kept apart", async () => {
    const answer = await answerOf(Effect.gen(function* () {
      const { url, method } = yield* HttpServerRequest.HttpServerRequest
      const { credentials } = yield* RequestMeta
      return HttpServerResponse.text(`${method} ${url} ${credentials.length}`)
    }))
    assert.strictEqual(await answer.text(), "GET /quotes?amount=1 1")
  })

  it("answers with status, headers and text", async () => {
    const answer = await answerOf(Effect.succeed(
      HttpServerResponse.text("née", { status: 203, contentType: "text/x", headers: { "x-own": "1" } }),
    ))
    assert.strictEqual(answer.status, 203)
    assert.deepStrictEqual(
      [...answer.headers],
      [["content-length", "4"], ["content-type", "text/x"], ["x-own", "1"]],
    )
    assert.strictEqual(await answer.text(), "née")
  })

  it("leaves the body out of the answer to a HEAD, and keeps its headers", async () => {
    const answer = await answerOf(Effect.succeed(HttpServerResponse.text("body")), "HEAD")
    assert.isNull(answer.body)
    assert.strictEqual(answer.headers.get("content-length"), "4")
  })

  it("answers without a body", async () => {
    const answer = await answerOf(Effect.succeed(HttpServerResponse.empty({ status: 304 })))
    assert.strictEqual(answer.status, 304)
    assert.isNull(answer.body)
  })

  it.effect("lets go of what a stream holds when the stream ends, and not before", function* () {
    const ended = yield* Deferred.make<void>()
    const answer = yield* Effect.promise(() => answerOf(lines(ended)))
    assert.isFalse(yield* Deferred.isDone(ended))
    assert.strictEqual(yield* Effect.promise(() => answer.text()), "one\ntwo\n")
    yield* Deferred.await(ended)
  })

  it("streams in what is there for streams", async () => {
    const told = Stream.fromEffect(Effect.map(Effect.serviceOption(Told), Option.getOrElse(() => "nothing")))
    const answer = await answerOf(Effect.succeed(HttpServerResponse.stream(Stream.encodeText(told))))
    assert.strictEqual(await answer.text(), "of the stream")
  })

  it.effect("lets go of what a stream holds at once where the stream is not sent", function* () {
    const ended = yield* Deferred.make<void>()
    const answer = yield* Effect.promise(() => answerOf(lines(ended), "HEAD"))
    assert.isNull(answer.body)
    yield* Deferred.await(ended)
  })

  it.effect("stops when the client hangs up", function* () {
    const stopped = yield* Deferred.make<void>()
    const hangUp = new AbortController()
    const answering = yield* Effect.forkChild(
      Effect.promise(() =>
        answerOf(untilStopped(Deferred.succeed(stopped, undefined)), "GET", hangUp.signal)
      ),
      { startImmediately: true },
    )
    yield* Effect.yieldNow
    hangUp.abort()
    yield* Deferred.await(stopped)
    assert.strictEqual((yield* Fiber.join(answering)).status, 499)
  })

  it("does not begin for a client that is gone", async () => {
    const answer = await answerOf(untilStopped(Effect.void), "GET", AbortSignal.abort())
    assert.strictEqual(answer.status, 499)
  })

  it("answers a failure that nobody caught", async () => {
    const answer = await answerOf(Effect.die(new Error("a secret cause")))
    assert.strictEqual(answer.status, 500)
    assert.strictEqual(await answer.text(), "")
  })
})
