import { Effect, Option, Redacted } from "effect"
import { HttpClient } from "effect/http"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { suite } from "./Provider.ts"
import { upstreamIn } from "./sandbox/upstreamIn.ts"
import { keyless, relay, relayOnNewer } from "./relay/fixtures.ts"
import { makeClient } from "#providers/relay/client.ts"
import { makeConditions } from "#providers/relay/conditions.ts"
import { make } from "#providers/relay/provider.ts"

const providerWith = (key: Option.Option<string>, quoteVersion: "v2" | "v3" = "v2") =>
  Effect.gen(function* () {
    const { relay: { url } } = yield* Sandbox
    const options = {
      url,
      key: Option.map(key, (key) => Redacted.make(key)),
      quoteVersion,
      feeRecipient: Option.some("0x1111111111111111111111111111111111111111"),
      explorerUrl: "https://explorer.test/{depositAddress}",
    }
    const client = makeClient(yield* HttpClient.HttpClient, options)
    return make(options, client, yield* makeConditions(client))
  })

const world = upstreamIn({
  openings: ["relay", "openRequestCount"],
  path: /\/(requests|intents)\//,
  state: /"status":"[a-z]+"/,
  unknown: '"status":"rebalancing"',
})

suite("relay with a key, over the sockets of the sandbox", providerWith(Option.some("a-key")), world, relay)

suite("relay without a key, over the sockets of the sandbox", providerWith(Option.none()), world, keyless)

suite(
  "relay on newer chains, over the sockets of the sandbox",
  providerWith(Option.some("a-key")),
  world,
  relayOnNewer,
)

suite(
  "relay over v3 of its quotes, over the sockets of the sandbox",
  providerWith(Option.some("a-key"), "v3"),
  world,
  relay,
)
