import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Fiber, Layer } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { BodyTooLarge, type PathFacts, type Paths, UrlTooLong } from "#interfaces/requests/RequestMeta.ts"
import { answering } from "../answering.ts"
import { observe } from "../observe.ts"

const paths: Paths = new Map<string, PathFacts>([
  ["/quotes", { methods: ["GET"] }],
  ["/swap", { methods: ["GET", "POST"], beginsSwap: true }],
  ["/cached", { methods: ["GET"] }],
  ["/defect", { methods: ["GET"] }],
  ["/slow", { methods: ["GET"] }],
  ["/things/:name/part", { methods: ["POST"] }],
  ["/things/:name", { methods: ["GET"] }],
])

const harness = () => {
  let opened = 0
  const open = Effect.sync(() => {
    opened++
    return HttpServerResponse.jsonUnsafe({ opened })
  })
  const routes = Layer.mergeAll(
    HttpRouter.add("GET", "/quotes", HttpServerResponse.jsonUnsafe([])),
    HttpRouter.add("GET", "/swap", open),
    HttpRouter.add("POST", "/swap", open),
    HttpRouter.add(
      "GET",
      "/cached",
      HttpServerResponse.empty({ headers: { "cache-control": "max-age=60" } }),
    ),
    HttpRouter.add("GET", "/defect", Effect.die(new Error("the shelf fell down"))),
    HttpRouter.add("GET", "/slow", Effect.never),
    HttpRouter.add("GET", "/things/:name", HttpServerResponse.jsonUnsafe({})),
  )
  const send = answering(routes, { paths, headers: { "x-broker-mode": "sandbox" } })

  const problem = Effect.fnUntraced(function* (...sent: Parameters<typeof send>) {
    const response = yield* send(...sent)
    const body: Record<string, unknown> = yield* Effect.promise(() => response.json())
    return { response, body }
  })
  return { send, problem, opened: () => opened }
}

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

describe("answer", () => {
  it.effect("gives every answer the trace id and the headers of the service", function* () {
    const { headers, status } = yield* harness().send("/quotes")
    assert.strictEqual(status, 200)
    assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f]{32}$/)
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
    assert.strictEqual(headers.get("x-broker-mode"), "sandbox")
  })

  it.effect("lets an answer decide for itself how it is cached", function* () {
    const { headers } = yield* harness().send("/cached")
    assert.strictEqual(headers.get("cache-control"), "max-age=60")
  })

  it.effect("goes on with the caller's trace", function* () {
    const observation = observe()
    const { headers } = yield* harness().send("/quotes", { headers: { traceparent } }).pipe(
      Effect.provide(observation.layer),
    )
    assert.strictEqual(headers.get("x-request-id"), "4bf92f3577b34da6a3ce929d0e0e4736")
    assert.deepStrictEqual(
      observation.spans.map(({ name, traceId }) => ({ name, traceId })),
      [{ name: "http.request", traceId: "4bf92f3577b34da6a3ce929d0e0e4736" }],
    )
    assert.include(observation.lines.join(), "4bf92f3577b34da6a3ce929d0e0e4736")
  })

  it.effect.each([
    { traceparent: "00-short-00f067aa0ba902b7-01" },
    { traceparent: "00-00000000000000000000000000000000-00f067aa0ba902b7-01" },
    { b3: "80F198EE56343BA8-e457b5a2e4d86bd1-1" },
  ])("begins a trace of its own when the caller's is not W3C: %s", function* (headers) {
    const id = (yield* harness().send("/quotes", { headers })).headers.get("x-request-id") ?? ""
    assert.match(id, /^[0-9a-f]{32}$/)
    assert.notMatch(id, /^0+$/)
  })

  it.effect("answers an unknown path with a 404 problem", function* () {
    const { response, body } = yield* harness().problem("/nothing")
    assert.strictEqual(response.status, 404)
    assert.strictEqual(response.headers.get("content-type"), "application/problem+json")
    assert.deepStrictEqual(body, {
      type: "https://tools.ietf.org/html/rfc9110#section-15.5.5",
      title: "Not Found",
      status: 404,
      detail: "No such endpoint. See /docs",
      traceId: response.headers.get("x-request-id"),
    })
  })

  it.effect.each(["PUT", "DELETE", "PATCH", "OPTIONS"])(
    "answers %s on /swap with 405 and its methods",
    function* (method) {
      const { response, body } = yield* harness().problem("/swap?x=1", { method })
      assert.strictEqual(response.status, 405)
      assert.strictEqual(response.headers.get("allow"), "GET, POST")
      assert.strictEqual(body.title, "Method Not Allowed")
    },
  )

  it.effect.each(["%zz", "%ff%fe", "x".repeat(2_000)])(
    "answers a GET of a thing whose name can be none with 404, as the path does take GET: %s",
    function* (name) {
      const { problem, send } = harness()
      assert.strictEqual((yield* send("/things/any")).status, 200)
      const { response, body } = yield* problem(`/things/${name}`)
      assert.strictEqual(response.status, 404)
      assert.strictEqual(body.title, "Not Found")
      assert.strictEqual((yield* send(`/things/${name}`, { method: "HEAD" })).status, 404)
      assert.strictEqual((yield* send(`/things/${name}`, { method: "POST" })).status, 405)
    },
  )

  it.effect("answers HEAD like GET, without the body", function* () {
    const response = yield* harness().send("/quotes", { method: "HEAD" })
    assert.strictEqual(response.status, 200)
    assert.strictEqual(yield* Effect.promise(() => response.text()), "")
  })

  it.effect.each(["/swap", "/swap?sourceAsset=btc.btc"])(
    "opens nothing for HEAD %s: 405",
    function* (path) {
      const { send, opened } = harness()
      const response = yield* send(path, { method: "HEAD" })
      assert.strictEqual(response.status, 405)
      assert.strictEqual(opened(), 0)
    },
  )

  it.effect.each(["/swap/", "/SWAP", "//swap", "/swap;x=1", "/%73wap", "/swap%20", "//[x/swap"])(
    "routes nothing for %s, however lenient the router is",
    function* (path) {
      const { send, opened } = harness()
      for (const method of ["GET", "HEAD", "POST"]) {
        const response = yield* send(path, { method })
        assert.strictEqual(response.status, 404)
      }
      assert.strictEqual(opened(), 0)
    },
  )

  it.effect.each([
    ["/defect", "the shelf fell down"],
    ["/failure", "an error that nobody expected"],
  ])(
    "answers what nobody expected (%s) with a 500 problem and logs it under the same trace id",
    function* () {
      const observation = observe()
      const { response, body } = yield* harness().problem("/defect").pipe(Effect.provide(observation.layer))
      assert.strictEqual(response.status, 500)
      assert.strictEqual(response.headers.get("content-type"), "application/problem+json")
      assert.notProperty(body, "code")
      assert.notInclude(JSON.stringify(body), "the shelf fell down")
      const line = observation.lines.find((text) => text.includes("ERROR")) ?? ""
      assert.include(line, "the shelf fell down")
      assert.include(line, `${body.traceId}`)
    },
  )

  it.effect("answers a refusal of the door without asking the routes", function* () {
    const { problem, opened } = harness()
    const tooLarge = new BodyTooLarge({ maximumBytes: 65_536 })
    const large = yield* problem("/swap", { method: "POST" }, { credentials: [], refusal: tooLarge })
    assert.strictEqual(large.response.status, 413)
    assert.strictEqual(large.body.title, "Content Too Large")
    const tooLong = new UrlTooLong({ maximumBytes: 8_192 })
    const long = yield* problem("/swap", {}, { credentials: [], refusal: tooLong })
    assert.strictEqual(long.response.status, 414)
    assert.strictEqual(opened(), 0)
  })

  it.effect("stops working when the caller has gone, and calls that no error", function* () {
    const observation = observe()
    const controller = new AbortController()
    const waiting = yield* Effect.forkChild(
      harness().send("/slow", { signal: controller.signal }).pipe(Effect.provide(observation.layer)),
      { startImmediately: true },
    )
    controller.abort()
    const response = yield* Fiber.join(waiting)
    assert.strictEqual(response.status, 499)
    assert.isFalse(observation.lines.some((line) => line.includes("ERROR")))
  })

  it.effect("writes one line and one span for a request, without its query", function* () {
    const observation = observe()
    yield* harness().send("/quotes?destinationAddress=0xhidden").pipe(Effect.provide(observation.layer))
    assert.lengthOf(observation.lines, 1)
    assert.include(observation.lines.join(), "GET /quotes answered 200")
    assert.lengthOf(observation.spans, 1)
    assert.notInclude(observation.text(), "hidden")
  })

  it.effect("writes a path with parameters down without their values, and knows its methods", function* () {
    const observation = observe()
    const { response } = yield* harness().problem("/things/secret/part").pipe(
      Effect.provide(observation.layer),
    )
    assert.strictEqual(response.status, 405)
    assert.strictEqual(response.headers.get("allow"), "POST")
    assert.include(observation.lines.join(), "GET /things/:name/part answered 405")
    assert.notInclude(observation.text(), "secret")
  })

  it.effect.each(["/quotes;apiKey=secret", "/quotes&apiKey=secret", "/secret", "/quotes/secret?x"])(
    "never writes down the path %s, which is not one of ours",
    function* (path) {
      const observation = observe()
      yield* harness().send(path).pipe(Effect.provide(observation.layer))
      assert.include(observation.lines.join(), "(unknown path)")
      assert.notInclude(observation.text(), "secret")
    },
  )
})
