import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { createServer } from "node:http"
import { fetchOnce } from "#infrastructure/platform/fetchOnce.ts"

/** A server that answers the first request of a connection and cuts it at the next; counts them. */
const cutting = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly received: () => number; readonly close: () => void }>(
    (resume) => {
      let received = 0
      const server = createServer((request, response) => {
        received += 1
        request.resume()
        request.on("end", () => received === 1 ? response.end("{}") : request.socket.destroy())
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        if (address === null || typeof address === "string") throw new Error("No port")
        resume(Effect.succeed({
          url: `http://127.0.0.1:${address.port}`,
          received: () => received,
          close: () => server.close(),
        }))
      })
    },
  ),
  ({ close }) => Effect.sync(close),
)

/** A server that sends everybody on to another path of its own; counts who came there. */
const redirecting = Effect.acquireRelease(
  Effect.sync(() => {
    let followed = 0
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
      if (!url.endsWith("/from")) followed += 1
      return new Response(null, { status: 307, headers: { location: "/to" } })
    })
    return { url: `http://127.0.0.1:${server.addr.port}/from`, followed: () => followed, server }
  }),
  ({ server }) => Effect.promise(() => server.shutdown()),
)

describe("fetchOnce", () => {
  it.live("takes neither keys nor orders to where an upstream redirects them", () =>
    Effect.gen(function* () {
      const server = yield* redirecting
      const client = yield* HttpClient.HttpClient
      for (const request of [HttpClientRequest.get(server.url), HttpClientRequest.post(server.url)]) {
        const answer = yield* client.execute(HttpClientRequest.setHeader(request, "x-api-key", "secret"))
        assert.strictEqual(answer.status, 307)
      }
      assert.strictEqual(server.followed(), 0)
    }).pipe(Effect.scoped, Effect.provide(fetchOnce)))

  it.live("sends a POST once, also where its connection is cut before the answer", () =>
    Effect.gen(function* () {
      const server = yield* cutting
      const client = yield* HttpClient.HttpClient
      const post = HttpClientRequest.post(server.url).pipe(HttpClientRequest.bodyJsonUnsafe({ open: true }))
      const first = yield* client.execute(post)
      assert.strictEqual(yield* first.text, "{}")
      const second = yield* Effect.result(client.execute(post))
      assert.isTrue(Result.isFailure(second))
      assert.strictEqual(server.received(), 2)
    }).pipe(Effect.provide(fetchOnce)))
})
