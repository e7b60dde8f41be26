import { Effect, Layer, Option } from "effect"
import { HttpClient } from "effect/http"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { at } from "../sandbox/support.ts"
import { nearIntents } from "./near-intents/fixtures.ts"
import { suite } from "./Provider.ts"
import { SandboxWorld } from "./sandbox/SandboxWorld.ts"
import { Upstream } from "./Upstream.ts"
import { makeClient } from "../../src/providers/near-intents/client.ts"
import { makeConditions } from "../../src/providers/near-intents/conditions.ts"
import { make } from "../../src/providers/near-intents/provider.ts"
import { SigningKey } from "../../src/providers/near-intents/signature.ts"

const provider = Effect.gen(function* () {
  const { nearIntents: { publicKey, url } } = yield* Sandbox
  const options = {
    url,
    token: Option.none(),
    publicKey: SigningKey.make(publicKey),
    feeAccount: Option.some("operator.near"),
    commissionBasis: "charged" as const,
    otherFeesMostBps: 60,
    waitingMillis: 0,
    explorerUrl: "https://explorer.test/{depositAddress}",
  }
  const client = makeClient(yield* HttpClient.HttpClient, options)
  return make(options, client, yield* makeConditions(client))
})

const upstream = Layer.effect(
  Upstream,
  Effect.map(SandboxWorld, ({ heal, tamper, view }) =>
    Upstream.of({
      openings: Effect.map(view, (json) => Number(at(json, "nearIntents", "openOrderCount"))),
      inventStates: tamper({
        path: /\/v0\/status/,
        does: (body) => body.replace(/"status":"[A-Z_]+"/, '"status":"REBALANCING"'),
      }),
      heal,
    })),
)

suite(
  "near-intents, over the sockets of the sandbox",
  provider,
  Layer.provideMerge(upstream, SandboxWorld.layer),
  nearIntents,
)
