import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { corsHeaders } from "#interfaces/http/server/answer.ts"
import { BodyTooLarge, type PathFacts, type Paths } from "#interfaces/requests/RequestMeta.ts"
import { answering } from "../answering.ts"

const paths: Paths = new Map<string, PathFacts>([
  ["/quotes", { methods: ["GET"] }],
  ["/swap", { methods: ["GET", "POST"], beginsSwap: true }],
  ["/things/:name/part", { methods: ["PUT", "DELETE"] }],
  ["/defect", { methods: ["GET"] }],
  ["/metrics", { methods: ["GET"], isClosed: true }],
  ["/providers", { methods: ["GET"], isClosed: true }],
  ["/providers/:name/switch", { methods: ["POST"], isClosed: true }],
  ["/operator/accounts", { methods: ["GET", "POST"], isClosed: true }],
  ["/health/providers", { methods: ["GET"] }],
])

const harness = () => {
  let routed = 0
  const answer = Effect.sync(() => {
    routed++
    return HttpServerResponse.jsonUnsafe([])
  })
  const routes = Layer.mergeAll(
    HttpRouter.add("GET", "/quotes", answer),
    HttpRouter.add("GET", "/swap", answer),
    HttpRouter.add("POST", "/swap", answer),
    HttpRouter.add("GET", "/metrics", answer),
    HttpRouter.add("GET", "/defect", Effect.die(new Error("broken"))),
  )
  const send = answering(routes, { paths, headers: {} })
  return { send, routed: () => routed }
}

const origin = "https://wallet.example"

/** What a browser asks before it lets a page send this. */
const asking = (method: string, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "OPTIONS",
  headers: { origin, "access-control-request-method": method, ...headers },
})

const listIn = (headers: Headers, name: string) => (headers.get(name) ?? "").split(", ")

describe("CORS", () => {
  for (
    const [path, allowed] of [
      ["/quotes", "GET"],
      ["/quotes?sourceAsset=btc.btc", "GET"],
      ["/swap", "GET, POST"],
      ["/things/any%20name/part", "PUT, DELETE"],
      ["/health/providers", "GET"],
    ] as const
  ) {
    it.effect(`answers a preflight for ${path} with ${allowed}, without asking the routes`, function* () {
      const { routed, send } = harness()
      const { body, headers, status } = yield* send(path, asking("GET"))
      assert.strictEqual(status, 204)
      assert.isNull(body)
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
      assert.strictEqual(headers.get("access-control-allow-methods"), allowed)
      assert.strictEqual(headers.get("access-control-max-age"), "7200")
      assert.isFalse(headers.has("access-control-allow-credentials"))
      assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f]{32}$/)
      assert.strictEqual(routed(), 0)
    })
  }

  it.effect("lets a page say what a caller may say", function* () {
    const { headers } = yield* harness().send("/swap", asking("POST"))
    assert.deepStrictEqual(listIn(headers, "access-control-allow-headers"), [
      "X-API-Key",
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-None-Match",
      "Last-Event-ID",
      "traceparent",
      "tracestate",
    ])
  })

  it.effect("lets a page read every answer, problems included, and what callers have to know of it", function* () {
    const { send } = harness()
    const tooLarge = new BodyTooLarge({ maximumBytes: 65_536 })
    const answers = yield* Effect.all([
      send("/quotes"),
      send("/quotes", { headers: { origin } }),
      send("/nothing", { headers: { origin } }),
      send("/quotes", { method: "PUT", headers: { origin } }),
      send("/swap", { method: "HEAD" }),
      send("/defect", { headers: { origin } }),
      send("/swap", { method: "POST", headers: { origin } }, { credentials: [], refusal: tooLarge }),
    ])
    assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 404, 405, 405, 500, 413])
    for (const { headers, status } of answers) {
      assert.strictEqual(headers.get("access-control-allow-origin"), "*", `${status}`)
      assert.isFalse(headers.has("access-control-allow-credentials"))
      assert.deepStrictEqual(listIn(headers, "access-control-expose-headers"), [
        "Retry-After",
        "RateLimit",
        "RateLimit-Policy",
        "Deprecation",
        "Link",
        "X-Request-Id",
        "Idempotent-Replayed",
        "ETag",
        "Provider-Status",
        "Ignored-Parameters",
        "Content-Digest",
        "Signature",
        "Signature-Input",
        "Swap-Key-Id",
        "Swap-Request-Digest",
        "Swap-Signature",
      ])
    }
  })

  it.effect.each(["/quotes", "/swap", "/nothing"])(
    "leaves an OPTIONS on %s that no browser sent to the routes",
    function* (path) {
      const { send } = harness()
      for (const headers of [{}, { origin }, { "access-control-request-method": "GET" }]) {
        const { status } = yield* send(path, { method: "OPTIONS", headers })
        assert.strictEqual(status, path === "/nothing" ? 404 : 405)
      }
    },
  )

  it.effect("knows no other paths", function* () {
    const { status } = yield* harness().send("/nothing", asking("GET"))
    assert.strictEqual(status, 404)
  })

  it.effect.each(["/metrics", "/providers", "/providers/chainflip/switch", "/operator/accounts"])(
    "keeps %s from pages: no preflight, and no answer that they may read",
    function* (path) {
      const { send } = harness()
      const preflight = yield* send(path, asking("POST"))
      assert.strictEqual(preflight.status, 405)
      const answer = yield* send(path, { headers: { origin } })
      for (const { headers } of [preflight, answer]) {
        const named = [...headers.keys()].filter((name) => name.startsWith("access-control-"))
        assert.deepStrictEqual(named, [])
      }
    },
  )

  it("closes no path but those that are said to be", () => {
    for (const facts of [undefined, { methods: ["GET"] }, { methods: ["GET"], isClosed: false }]) {
      assert.property(corsHeaders(facts), "access-control-allow-origin")
    }
    assert.deepStrictEqual(corsHeaders({ methods: ["GET"], isClosed: true }), {})
  })
})
