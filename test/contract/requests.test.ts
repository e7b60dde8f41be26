import { assert } from "@effect/vitest"
import { brokerUrl } from "#test/support/broker.ts"
import { call, type Options, withListeningBroker } from "./support/call.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { swapParameters } from "./support/swaps.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

const paths: Readonly<Record<string, string>> = {
  "/quotes": "GET",
  "/quotes-native": "GET",
  "/quote": "GET",
  "/quote-native": "GET",
  "/quotes/stream": "GET",
  "/swap": "GET, POST",
  "/status-by-id": "GET",
  "/status-by-deposit-channel": "GET",
  "/status-by-transaction-hash": "GET",
  "/swaps": "GET",
  "/swaps/events": "GET",
  "/status-stream": "GET",
  "/assets": "GET",
  "/networks": "GET",
  "/openapi.json": "GET",
  "/": "GET",
  "/docs": "GET",
  "/docs/settings": "GET",
  "/docs/quotes": "GET",
  "/docs/try": "GET",
  "/docs/try/scalar.js": "GET",
  "/livez": "GET",
  "/readyz": "GET",
}

const maximumBody = 64 * 1024
const maximumUrl = 8 * 1024

/** The parameters of `/swap` in a body of exactly this many bytes. */
const bodyOf = (bytes: number): string => JSON.stringify(swapParameters()).padEnd(bytes)

const inChunks = (text: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (let offset = 0; offset < text.length; offset += 10_000) {
        controller.enqueue(new TextEncoder().encode(text.slice(offset, offset + 10_000)))
      }
      controller.close()
    },
  })

withListeningBroker()("any request (decision 14)", (it) => {
  it.effect("an unknown path is a 404, whatever the method and the key", function* () {
    for (
      const path of [
        "/nothing",
        "/swap/1",
        "/status-by",
        "/tx-payload/dogecoin",
        "/%00",
      ]
    ) {
      for (const method of ["GET", "POST", "DELETE"]) {
        for (const key of [{}, { key: null }] satisfies ReadonlyArray<Options>) {
          assertFailure(yield* call(method, path, key), 404)
        }
      }
    }
  })

  it.effect("another method is a 405 that says which there are", function* () {
    for (const [path, allowed] of Object.entries(paths)) {
      for (const method of ["POST", "PUT", "DELETE", "PATCH"].filter((one) => !allowed.includes(one))) {
        const answer = yield* call(method, path)
        assertFailure(answer, 405)
        assert.strictEqual(answer.headers.get("allow"), allowed, `${method} ${path}`)
      }
    }
  })

  it.effect("a body may have 64 KiB and no more, told beforehand or not", function* () {
    const fits = yield* call("POST", "/swap", { body: bodyOf(maximumBody) })
    assert.strictEqual(fits.status, 200, fits.text)
    assertFailure(yield* call("POST", "/swap", { body: bodyOf(maximumBody + 1) }), 413)
    const streamed = yield* call("POST", "/swap", { body: inChunks(bodyOf(maximumBody)) })
    assert.strictEqual(streamed.status, 200, streamed.text)
    assertFailure(yield* call("POST", "/swap", { body: inChunks(bodyOf(maximumBody + 1)) }), 413)
    assertFailure(yield* call("POST", "/swap", { body: bodyOf(1_000_000) }), 413)
  })

  it.effect("a URL may have 8 KiB and no more", function* () {
    const { origin } = yield* brokerUrl
    const space = maximumUrl - `${origin}/swaps?x=`.length
    assert.strictEqual((yield* call("GET", "/swaps", { query: { x: "x".repeat(space) } })).status, 200)
    assertFailure(yield* call("GET", "/swaps", { query: { x: "x".repeat(space + 1) } }), 414)
    assertFailure(yield* call("GET", `/${"x".repeat(maximumUrl)}`), 414)
  })

  it.effect("a query that is no proper query does no harm", function* () {
    for (
      const path of ["/swaps?%", "/swaps?&&=&", "/swaps?__proto__=1&constructor=2", "/swaps?limit[]=5"]
    ) {
      assert.strictEqual((yield* call("GET", path)).status, 200, path)
    }
    assert.deepStrictEqual(faultyParameters(yield* call("GET", "/swaps?limit=%FF")), ["limit"])
  })

  it.effect("a trace id of the caller is that of the answer, also of a failure", function* () {
    for (const path of ["/swaps", "/quotes", "/nothing", "/livez"]) {
      const answer = yield* call("GET", path, { headers: { traceparent } })
      assert.strictEqual(answer.headers.get("x-request-id"), traceId, path)
    }
  })

  it.effect("a trace id is new where the caller's is none", function* () {
    const seen = new Set<string | null>()
    for (
      const header of ["", "x", "00-00000000000000000000000000000000-00f067aa0ba902b7-01", `00-${traceId}`]
    ) {
      const answer = yield* call("GET", "/swaps", { headers: { traceparent: header } })
      seen.add(answer.headers.get("x-request-id"))
      assert.notInclude([traceId, "0".repeat(32)], answer.headers.get("x-request-id"), header)
    }
    assert.strictEqual(seen.size, 4)
  })
})
