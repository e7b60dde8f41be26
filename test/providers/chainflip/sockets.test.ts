import { assert, channelsOf, describe, it } from "../support.ts"
import { Effect, Redacted, Schema, type Scope } from "effect"
import { FetchHttpClient } from "effect/http"
import { type ListenFailed, serve } from "#infrastructure/platform/serve.ts"
import { options, reasonOf } from "./fakeChainflip.ts"
import { environment, everythingOn, safeMode } from "./fixtures/environment.ts"
import { swapRequest } from "./requests.ts"
import { make } from "#providers/chainflip/provider.ts"

const calls: Readonly<Record<string, unknown>> = {
  cf_environment: environment,
  cf_safe_mode_statuses: safeMode(),
}

const Call = Schema.Struct({ id: Schema.String, method: Schema.String })

/** Node and backend of an ordinary day on one port. */
const upstream: Effect.Effect<URL, ListenFailed, Scope.Scope> = serve({
  hostname: "127.0.0.1",
  port: 0,
  handler: async (request) => {
    if (request.method === "GET") return Response.json(everythingOn)
    const { id, method } = Schema.decodeUnknownSync(Call)(await request.json())
    return Response.json({ jsonrpc: "2.0", id, result: calls[method] })
  },
})

/** A port that takes connections and does with each what `behave` does. */
const listen = (behave: (connection: Deno.Conn) => Promise<void>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 })
      const accept = async () => {
        for await (const connection of listener) await behave(connection)
      }
      return { listener, done: accept() }
    }),
    ({ listener, done }) =>
      Effect.promise(() => {
        listener.close()
        return done
      }),
  ).pipe(Effect.map(({ listener }) => listener.addr.port))

/** A port on which nobody listens any more. */
const closedPort = Effect.sync(() => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 })
  listener.close()
  return listener.addr.port
})

const readRequest = (connection: Deno.Conn) => connection.read(new Uint8Array(65_536))

const openAt = Effect.fnUntraced(function* (port: number) {
  const url = yield* upstream
  const provider = yield* make({
    ...options,
    backendUrl: url,
    nodeUrl: url,
    brokerUrl: Redacted.make(new URL(`http://127.0.0.1:${port}/rpc?apiKey=top-secret`)),
  }).pipe(Effect.provide(FetchHttpClient.layer))
  return { ...(yield* reasonOf(channelsOf(provider).open(swapRequest))) }
})

describe("A Chainflip broker on a real socket", () => {
  it.live("was not reached when the connection is refused", function* () {
    const reason = yield* openAt(yield* closedPort)
    assert.deepStrictEqual<unknown>(reason, {
      _tag: "Unreachable",
      detail: "The broker cannot be connected to",
      reached: false,
    })
  })

  it.live("may have been reached when the connection is cut before an answer", function* () {
    const port = yield* listen(async (connection) => {
      await readRequest(connection)
      connection.close()
    })
    assert.deepStrictEqual<unknown>(yield* openAt(port), {
      _tag: "Unreachable",
      detail: "The connection to the broker was cut",
      reached: true,
    })
  })

  it.live("may have been reached when the answer is cut off", function* () {
    const port = yield* listen(async (connection) => {
      await readRequest(connection)
      await connection.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"))
      connection.close()
    })
    assert.deepStrictEqual<unknown>(yield* openAt(port), {
      _tag: "Unreachable",
      detail: "The answer of the broker was cut off",
      reached: true,
    })
  })
})
