import { Effect, Layer, Option, Redacted } from "effect"
import { HttpClient } from "effect/http"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { at } from "../sandbox/support.ts"
import { suite } from "./Provider.ts"
import { keyless, relay } from "./relay/fixtures.ts"
import { SandboxWorld } from "./sandbox/SandboxWorld.ts"
import { Upstream } from "./Upstream.ts"
import { makeClient } from "../../src/providers/relay/client.ts"
import { makeConditions } from "../../src/providers/relay/conditions.ts"
import { make } from "../../src/providers/relay/provider.ts"

const providerWith = (key: Option.Option<string>) =>
  Effect.gen(function* () {
    const { relay: { url } } = yield* Sandbox
    const options = {
      url,
      key: Option.map(key, (key) => Redacted.make(key)),
      feeRecipient: Option.some("0x1111111111111111111111111111111111111111"),
      explorerUrl: "https://explorer.test/{depositAddress}",
    }
    const client = makeClient(yield* HttpClient.HttpClient, options)
    return make(options, client, yield* makeConditions(client))
  })

const upstream = Layer.effect(
  Upstream,
  Effect.map(SandboxWorld, ({ heal, tamper, view }) =>
    Upstream.of({
      openings: Effect.map(view, (json) => Number(at(json, "relay", "openRequestCount"))),
      inventStates: tamper({
        path: /\/(requests|intents)\//,
        does: (body) => body.replace(/"status":"[a-z]+"/, '"status":"rebalancing"'),
      }),
      heal,
    })),
)

const world = Layer.provideMerge(upstream, SandboxWorld.layer)

suite("relay with a key, over the sockets of the sandbox", providerWith(Option.some("a-key")), world, relay)

suite("relay without a key, over the sockets of the sandbox", providerWith(Option.none()), world, keyless)
