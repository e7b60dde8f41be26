import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer, Redacted } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { RequestMeta } from "#interfaces/requests/RequestMeta.ts"
import { Server } from "#interfaces/http/server/Server.ts"
import { observe } from "../observe.ts"

const key = "a-key-that-nobody-may-see-0123456789"
const address = "0x2222222222222222222222222222222222222222"

/** Answers with what a handler sees of a request. */
const mirror = Effect.gen(function* () {
  const { credentials } = yield* RequestMeta
  const request = yield* HttpServerRequest.HttpServerRequest
  yield* Effect.logInfo("The handler logs something")
  return HttpServerResponse.jsonUnsafe({
    keys: credentials.map((credential) => Redacted.value(credential) === key),
    url: request.url,
    headers: Object.keys(request.headers),
    body: yield* Effect.orDie(request.text),
  })
})

const running = Server.layer({
  hostname: "127.0.0.1",
  port: 0,
  paths: new Map([["/swap", { methods: ["GET", "POST"] }], ["/rpc/:apiKey", { methods: ["POST"] }]]),
  clientAddress: (peer) => peer,
  headers: {},
}).pipe(
  Layer.provide([
    HttpRouter.add("GET", "/swap", mirror),
    HttpRouter.add("POST", "/swap", mirror),
    HttpRouter.add("POST", "/rpc/:apiKey", mirror),
  ]),
  Layer.provide(HttpRouter.layer),
)

/** Sends a request to a server of its own; says what came back and what log and trace saw. */
const sent = (path: string, init: RequestInit = {}) =>
  Effect.gen(function* () {
    const observation = observe()
    const answered = Effect.gen(function* () {
      const { url } = yield* Server
      const response = yield* Effect.promise(() => fetch(new URL(path, url), init))
      return { status: response.status, text: yield* Effect.promise(() => response.text()) }
    })
    const answer = yield* answered.pipe(Effect.provide(Layer.provide(running, observation.layer)))
    return { ...answer, observation }
  })

describe("Server", () => {
  it.effect("lets neither key nor address reach a log line or a span", function* () {
    const { status, text, observation } = yield* sent(
      `/swap?destinationAddress=${address}&apiKey=${key}`,
      {
        method: "POST",
        headers: { "x-api-key": key, authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: `{"refundAddress": "${address}"}`,
      },
    )
    assert.strictEqual(status, 200)
    const { keys, url, headers, body } = JSON.parse(text)
    assert.deepStrictEqual(keys, [true])
    assert.strictEqual(url, `/swap?destinationAddress=${address}`)
    assert.notIncludeMembers(headers, ["x-api-key", "authorization"])
    assert.strictEqual(body, `{"refundAddress": "${address}"}`)
    assert.include(observation.text(), "POST /swap answered 200")
    assert.include(observation.text(), "The handler logs something")
    assert.notInclude(observation.text(), key)
    assert.notInclude(observation.text(), address)
  })

  it.effect("lets no key out of the path of /rpc, whatever the answer", function* () {
    const answered = yield* sent(`/rpc/${key}?x=1`, { method: "POST", body: "[]" })
    assert.strictEqual(answered.status, 200)
    const { keys, url } = JSON.parse(answered.text)
    assert.deepStrictEqual(keys, [true])
    assert.strictEqual(url, "/rpc/hidden?x=1")
    assert.include(answered.observation.text(), "POST /rpc/:apiKey answered 200")
    assert.notInclude(answered.observation.text(), key)
    const attempts: ReadonlyArray<readonly [path: string, init: RequestInit, status: number]> = [
      [`/rpc/${key}`, { method: "GET" }, 405],
      [`/rpc/${key}/more`, { method: "POST" }, 404],
      // The router would take capitals for small letters.
      [`/RPC/${key}`, { method: "POST" }, 404],
      [`/rpc/${key}`, { method: "POST", body: "x".repeat(70_000) }, 413],
      [`/rpc/${key}?x=${"1".repeat(8_192)}`, { method: "POST" }, 414],
    ]
    for (const [path, init, expected] of attempts) {
      const { observation, status, text } = yield* sent(path, init)
      assert.strictEqual(status, expected, path)
      assert.notInclude(text, key)
      assert.notInclude(observation.text(), key)
    }
  })

  it.effect("makes one span for a request", function* () {
    const { observation } = yield* sent("/swap")
    assert.deepStrictEqual(observation.spans.map(({ name }) => name), ["http.request"])
  })

  it.effect("refuses a body that turns out too long while it arrives", function* () {
    const piece = new Uint8Array(16 * 1_024)
    const { status, text } = yield* sent("/swap", {
      method: "POST",
      body: ReadableStream.from(Array.from({ length: 5 }, () => piece)),
    })
    assert.strictEqual(status, 413)
    assert.strictEqual(JSON.parse(text).detail, "The body is longer than 65536 bytes")
  })

  it.effect("refuses a URL over 8 KiB with a problem", function* () {
    const { status, text, observation } = yield* sent(`/swap?apiKey=${key}&x=${"1".repeat(8_192)}`)
    assert.strictEqual(status, 414)
    assert.strictEqual(JSON.parse(text).title, "URI Too Long")
    assert.notInclude(observation.text(), key)
  })

  it.effect("answers a path that is no URL on its own with a problem", function* () {
    const { status, text } = yield* sent("/.//[x")
    assert.strictEqual(status, 404)
    assert.strictEqual(JSON.parse(text).title, "Not Found")
  })
})
