import { Effect, Layer, Option } from "effect"
import { HttpClient } from "effect/http"
import * as Catalogue from "../../src/providers/near-intents/Catalogue.ts"
import * as OneClick from "../../src/providers/near-intents/client/OneClick.ts"
import { make } from "../../src/providers/near-intents/provider.ts"
import { SigningKey } from "../../src/providers/near-intents/signature/SigningKey.ts"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { at } from "../sandbox/support.ts"
import { nearIntents } from "./near-intents/fixtures.ts"
import { suite } from "./Provider.ts"
import { SandboxWorld } from "./sandbox/SandboxWorld.ts"
import { Subject, Upstream } from "./Subject.ts"

const provider = Layer.effect(
  Subject,
  Effect.gen(function* () {
    const { nearIntents: { publicKey, url } } = yield* Sandbox
    const options = {
      url,
      token: Option.none(),
      publicKey: SigningKey.make(publicKey),
      feeAccount: Option.some("operator.near"),
      explorerUrl: "https://explorer.test/{depositAddress}",
    }
    const client = OneClick.make(yield* HttpClient.HttpClient, options)
    return make(options, client, yield* Catalogue.make(client))
  }),
)

const upstream = Layer.effect(
  Upstream,
  Effect.map(SandboxWorld, ({ deposit, fault, heal, tamper, view }) =>
    Upstream.of({
      openings: Effect.map(view, (json) => Number(at(json, "nearIntents", "openOrderCount"))),
      deposit,
      loseAnswers: fault({ operation: "open", kind: "reset" }),
      inventStates: tamper({
        path: /\/v0\/status/,
        does: (body) => body.replace(/"status":"[A-Z_]+"/, '"status":"REBALANCING"'),
      }),
      heal,
    })),
)

suite(
  "near-intents, over the sockets of the sandbox",
  Layer.mergeAll(provider, upstream).pipe(Layer.provideMerge(SandboxWorld.layer)),
  nearIntents,
)
