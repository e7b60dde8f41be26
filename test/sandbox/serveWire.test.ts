import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { startSandbox } from "./support.ts"

/** Sends bytes over a connection of its own and gives the first line of the answer. */
const exchange = (port: string, request: string) =>
  Effect.acquireUseRelease(
    Effect.promise(() => Deno.connect({ hostname: "127.0.0.1", port: Number(port) })),
    (connection) =>
      Effect.promise(async () => {
        await connection.write(new TextEncoder().encode(request))
        const answer = new Uint8Array(1_024)
        const count = await connection.read(answer)
        return new TextDecoder().decode(answer.subarray(0, count ?? 0)).split("\r\n")[0]
      }),
    (connection) => Effect.sync(() => connection.close()),
  )

describe("the sandbox's server", () => {
  it.effect("refuses a request target that is no path, and goes on", function* () {
    const { get, url } = yield* startSandbox()
    const first = yield* exchange(url.port, "GET // HTTP/1.1\r\nHost: x\r\n\r\n")
    assert.strictEqual(first, "HTTP/1.1 400 Bad Request")
    assert.strictEqual((yield* get("/chainflip/backend/healthcheck")).status, 200)
  })

  it.effect("goes on when a client leaves in the middle of a body", function* () {
    const { get, url } = yield* startSandbox()
    const half = "POST /chainflip/node HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"
    yield* Effect.acquireUseRelease(
      Effect.promise(() => Deno.connect({ hostname: "127.0.0.1", port: Number(url.port) })),
      (connection) => Effect.promise(() => connection.write(new TextEncoder().encode(half))),
      (connection) => Effect.sync(() => connection.close()),
    )
    assert.strictEqual((yield* get("/chainflip/backend/healthcheck")).status, 200)
  })

  it.effect("says where it cannot listen", function* () {
    const { url } = yield* startSandbox()
    const failure = yield* Effect.flip(startSandbox({ port: Number(url.port) }))
    assert.strictEqual(failure._tag, "ListenFailed")
    assert.include(failure.message, `127.0.0.1:${url.port}`)
  })
})
