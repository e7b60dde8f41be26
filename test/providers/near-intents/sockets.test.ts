import { assert, channelsOf, describe, it } from "../support.ts"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { serve } from "#infrastructure/platform/serve.ts"
import { options, plain, reasonOf } from "./fakeOneClick.ts"
import { tokens } from "./fixtures/tokens.ts"
import { swapRequest } from "./requests.ts"
import { makeClient } from "#providers/near-intents/client.ts"
import { makeConditions } from "#providers/near-intents/conditions.ts"
import { make } from "#providers/near-intents/provider.ts"

/** Opens at `orders` with a catalogue that is served elsewhere. */
const openAt = Effect.fnUntraced(function* (orders: URL) {
  const catalogueUrl = yield* serve({
    hostname: "127.0.0.1",
    port: 0,
    handler: () => Promise.resolve(Response.json(tokens)),
  })
  const http = yield* HttpClient.HttpClient
  const catalogue = yield* makeConditions(makeClient(http, { ...options, url: catalogueUrl }))
  const provider = make(options, makeClient(http, { ...options, url: orders }), catalogue)
  return plain(yield* reasonOf(channelsOf(provider).open(swapRequest)))
}, Effect.provide(FetchHttpClient.layer))

/** A port that reads a request and then does with the connection what `behave` does. */
const listen = (behave: (connection: Deno.Conn) => Promise<unknown>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 })
      const accept = async () => {
        for await (const connection of listener) {
          await connection.read(new Uint8Array(65_536))
          await behave(connection)
          connection.close()
        }
      }
      return { listener, done: accept() }
    }),
    ({ listener, done }) =>
      Effect.promise(() => {
        listener.close()
        return done
      }),
  ).pipe(Effect.map(({ listener }) => new URL(`http://127.0.0.1:${listener.addr.port}`)))

const unreachable = (detail: string, reached: boolean) => ({ _tag: "Unreachable", detail, reached })

describe("An opening at a 1Click service on a real socket", () => {
  it.live("did not reach it when the connection is refused", function* () {
    const closed = yield* Effect.scoped(listen(() => Promise.resolve()))
    assert.deepStrictEqual(
      yield* openAt(closed),
      unreachable("The 1Click service cannot be connected to", false),
    )
  })

  it.live("may have reached it when the connection is cut before an answer", function* () {
    const url = yield* listen(() => Promise.resolve())
    assert.deepStrictEqual(
      yield* openAt(url),
      unreachable("The connection to the 1Click service was cut", true),
    )
  })

  it.live("may have reached it when the answer is cut off", function* () {
    const half = new TextEncoder().encode("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{")
    const url = yield* listen((connection) => connection.write(half))
    assert.deepStrictEqual(
      yield* openAt(url),
      unreachable("The answer of the 1Click service was cut off", true),
    )
  })
})
