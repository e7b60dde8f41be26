import { assert } from "@effect/vitest"
import { Effect } from "effect"
import guide from "#api/document/guides/parameters.md" with { type: "text" }
import { withListeningBroker } from "#test/contract/support/call.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { type Reply, Wire } from "./hostile/Wire.ts"

const encoder = new TextEncoder()

/** The headers by which clients offer HTTP/2 on a plain port, as Java's and `curl --http2` send them. */
const offer =
  "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n"

const ask = Effect.fnUntraced(function* (head: string, body = "") {
  const wire = new Wire(yield* brokerUrl)
  const bytes = encoder.encode(`${head}host: a\r\nx-api-key: ${testKey}\r\n\r\n${body}`)
  // Not `askAndEnd`: the runtime gives up a request whose client has ended its side before the answer is made.
  const reply: Reply = yield* Effect.promise(() => wire.ask(bytes).finally(() => wire.close()))
  return reply === "closed" ? reply : { status: reply.status, isOurs: reply.headers.has("x-request-id") }
})

withListeningBroker()("an offer of HTTP/2", (it) => {
  it.effect("of a request without a body is ignored, and the request is answered", function* () {
    assert.deepStrictEqual(yield* ask(`GET /swaps HTTP/1.1\r\n${offer}`), { status: 200, isOurs: true })
  })

  it.effect("of a request that has or may have a body is refused by the runtime, and the guide says which line clients need", function* () {
    const refused = { status: 400, isOurs: false }
    // Java before 19 says how long no body is.
    assert.deepStrictEqual(yield* ask(`GET /swaps HTTP/1.1\r\n${offer}content-length: 0\r\n`), refused)
    assert.deepStrictEqual(yield* ask(`POST /swap HTTP/1.1\r\n${offer}content-length: 2\r\n`, "{}"), refused)
    for (const line of ["HttpClient.Version.HTTP_1_1", "--http1.1", "JdkClientHttpRequestFactory"]) {
      assert.include(guide, line)
    }
  })

  it.effect("that is left out brings an answer of ours", function* () {
    const ours = { status: 400, isOurs: true }
    assert.deepStrictEqual(yield* ask("POST /swap HTTP/1.1\r\ncontent-length: 2\r\n", "{}"), ours)
  })
})
