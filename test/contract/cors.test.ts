import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { testKey } from "#test/support/broker.ts"
import { call, openApi, type Options, withListeningBroker } from "./support/call.ts"
import { objectAt } from "./support/Json.ts"
import { assertFailure } from "./support/problem.ts"

const origin = "https://wallet.example"

const page = (headers: Readonly<Record<string, string>> = {}): Options => ({
  key: null,
  headers: { origin, ...headers },
})

/** What a browser asks before a page may send such a request: never with a key. */
const asking = (method: string): Options =>
  page({
    "access-control-request-method": method,
    "access-control-request-headers": "content-type,idempotency-key,traceparent,x-api-key",
  })

const names = (list: string | null): ReadonlyArray<string> =>
  (list ?? "").toLowerCase().split(",").map((name) => name.trim())

const isForOperator = (path: string): boolean =>
  /^\/(?:operator|providers(?!\/[^/]+\/history))(?:\/|$)/.test(path)

/** Every path of the document, with something in place of its parameters, and what it takes. */
const paths = Effect.map(
  openApi,
  (document) =>
    Object.entries(objectAt(document, "paths")).map(([path, operations]) => ({
      path: path.replaceAll(/\{[^}]+\}/g, "anything"),
      methods: Object.keys(objectAt(operations)).map((method) => method.toUpperCase()),
    })),
)

withListeningBroker()("CORS (decision 28)", (it) => {
  it.effect("lets pages of any origin use every path of the contract, with every method that it has", function* () {
    const open = (yield* paths).filter(({ path }) => !isForOperator(path))
    assert.isAbove(open.length, 15)
    for (const { methods, path } of open) {
      for (const method of methods) {
        const { headers, status, text } = yield* call("OPTIONS", path, asking(method))
        assert.strictEqual(status, 204, path)
        assert.strictEqual(text, "")
        assert.sameMembers([...names(headers.get("access-control-allow-methods"))], [
          ...names(methods.join(",")),
        ], path)
        assert.includeMembers([...names(headers.get("access-control-allow-headers"))], [
          "x-api-key",
          "authorization",
          "content-type",
          "idempotency-key",
          "traceparent",
          "last-event-id",
        ])
        assert.match(headers.get("access-control-max-age") ?? "", /^[1-9]\d+$/)
      }
    }
  })

  it.effect("keeps the operator's paths, and the figures, from pages", function* () {
    const closed = (yield* paths).filter(({ path }) => isForOperator(path))
    assert.isAtLeast(closed.length, 2)
    for (const { methods: [method = ""], path } of [...closed, { path: "/metrics", methods: ["GET"] }]) {
      const preflight = yield* call("OPTIONS", path, asking(method))
      assertFailure(preflight, 405)
      const answer = yield* call(method, path, { ...page(), key: testKey })
      for (const { headers } of [preflight, answer]) {
        assert.deepStrictEqual([...headers.keys()].filter((name) => name.startsWith("access-control-")), [])
      }
    }
  })

  it.effect("lets pages read the problem when something is wrong, and what to do about it", function* () {
    yield* call("PUT", "/sandbox/faults", { body: { operation: "quote", code: "quoting_maintenance" } })
    const quotes = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1"
    const answers = [
      yield* call("GET", "/swaps", page()),
      yield* call("GET", "/quotes", { headers: { origin } }),
      yield* call("GET", "/nothing", page()),
      yield* call("DELETE", "/quotes", page()),
      yield* call("GET", quotes, { headers: { origin } }),
    ]
    yield* call("DELETE", "/sandbox/faults")
    assert.deepStrictEqual(answers.map(({ status }) => status), [401, 400, 404, 405, 503])
    for (const { headers } of answers) {
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
      assert.deepStrictEqual(names(headers.get("access-control-expose-headers")), [
        "retry-after",
        "ratelimit",
        "ratelimit-policy",
        "deprecation",
        "link",
        "x-request-id",
        "idempotent-replayed",
        "etag",
        "provider-status",
        "ignored-parameters",
        "content-digest",
        "signature",
        "signature-input",
        "swap-key-id",
        "swap-request-digest",
        "swap-signature",
      ])
    }
  })

  it.effect("leaves an OPTIONS that no browser sent a 405, which says what there is", function* () {
    for (const options of [{}, page()]) {
      const answer = yield* call("OPTIONS", "/swap", options)
      assertFailure(answer, 405)
      assert.strictEqual(answer.headers.get("allow"), "GET, POST")
    }
  })

  it.effect("says the same to everybody, so that kept answers fit all", function* () {
    const [server, wallet, other] = [
      yield* call("GET", "/assets", { key: null }),
      yield* call("GET", "/assets", page()),
      yield* call("GET", "/assets", page({ origin: "null" })),
    ].map(({ headers }) => [...headers].filter(([name]) => /^access-control-|^vary$/.test(name)))
    assert.deepStrictEqual(wallet, server)
    assert.deepStrictEqual(other, server)
  })
})

withListeningBroker()("the headers of every answer", (it) => {
  it.effect("are on the pages and lists that are no endpoints of the document, too", function* () {
    // `call` looks for those that all answers have.
    for (const path of ["/openapi.json", "/docs", "/metrics"]) {
      const { headers, status } = yield* call("GET", path, { key: null })
      assert.strictEqual(status, 200, path)
      assert.include(headers.get("content-security-policy") ?? "", "frame-ancestors 'none'", path)
      assert.strictEqual((yield* call("HEAD", path, { key: null })).status, 200, path)
    }
  })
})
