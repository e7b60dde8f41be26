import { Context, Effect, Layer } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { genesis } from "#test/sandbox/support.ts"
import { mounts } from "#sandbox/announced.ts"
import { serveBackend } from "#sandbox/chainflip/backend.ts"
import { brokerMethods } from "#sandbox/chainflip/broker.ts"
import { nodeMethods } from "#sandbox/chainflip/node.ts"
import { serveRpc } from "#sandbox/chainflip/rpc.ts"
import { type UnusableLog, World } from "#sandbox/World.ts"
import { Faults } from "#sandbox/Faults.ts"
import { serveNearIntents } from "#sandbox/near-intents/api.ts"
import { serveRelay } from "#sandbox/relay/api.ts"
import { serveVaults } from "#sandbox/thorchain/api.ts"
import type { WireAnswer, WireRequest } from "#sandbox/Wire.ts"

type Serve = (path: string, request: WireRequest) => Effect.Effect<WireAnswer, UnusableLog, World | Faults>

const ofNode = new Map([...nodeMethods, ...brokerMethods("node")])
const ofBroker = brokerMethods("standalone")

const served: Readonly<Record<string, Serve>> = {
  [mounts.backend]: serveBackend,
  [mounts.node]: (_, request) => serveRpc(ofNode, request, "node"),
  [mounts.broker]: (_, request) => serveRpc(ofBroker, request, "standalone"),
  [mounts.nearIntents]: serveNearIntents,
  [mounts.relay]: serveRelay,
  [mounts.thorchain]: serveVaults("thorchain"),
  [mounts.maya]: serveVaults("maya"),
}

/** Where the simulated networks are for the client of `inProcess`. */
export const urlOf = (mount: keyof typeof mounts): URL => new URL(mounts[mount], "http://networks.test")

/** Simulated networks that stand still unless time is moved, and a client that reaches them without a socket. */
export const inProcess = Effect.gen(function* () {
  const context = yield* Layer.build(
    Layer.merge(World.layer({ seed: "sums", speed: 0, genesis, dataDir: "memory" }), Faults.layer("sums")),
  )
  const client = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const unanswered = new HttpClientError.HttpClientError({
        reason: new HttpClientError.TransportError({ request, description: "nothing answers there" }),
      })
      const [mount, serve] = Object.entries(served).find(([mount]) =>
        url.pathname === mount || url.pathname.startsWith(`${mount}/`)
      ) ?? []
      if (mount === undefined || serve === undefined) {
        return yield* unanswered
      }
      const { headers, method, body } = request
      const apiKey = headers["x-api-key"]
      const answer = yield* serve(url.pathname.slice(mount.length), {
        method,
        path: url.pathname,
        query: url.searchParams,
        body: body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "",
        ...(apiKey === undefined ? {} : { apiKey }),
      }).pipe(Effect.provide(context), Effect.orDie)
      if (answer._tag !== "Reply") {
        return yield* unanswered
      }
      const lines = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value].flat().map((line): [string, string] => [name, line])
      )
      return HttpClientResponse.fromWeb(
        request,
        new Response(answer.body, { status: answer.status, headers: lines }),
      )
    })
  )
  return { client, world: Context.get(context, World) }
})
