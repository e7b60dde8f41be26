import { Effect, Option } from "effect"
import { HttpClient } from "effect/http"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { nearIntents, nearIntentsOnNewer } from "./near-intents/fixtures.ts"
import { suite } from "./Provider.ts"
import { upstreamIn } from "./sandbox/upstreamIn.ts"
import { makeClient } from "#providers/near-intents/client.ts"
import { makeConditions } from "#providers/near-intents/conditions.ts"
import { make } from "#providers/near-intents/provider.ts"
import { SigningKey } from "#providers/near-intents/signature.ts"

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

const world = upstreamIn({
  openings: ["nearIntents", "openOrderCount"],
  path: /\/v0\/status/,
  state: /"status":"[A-Z_]+"/,
  unknown: '"status":"REBALANCING"',
})

suite("near-intents, over the sockets of the sandbox", provider, world, nearIntents)

suite("near-intents on newer chains, over the sockets of the sandbox", provider, world, nearIntentsOnNewer)
