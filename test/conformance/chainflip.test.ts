import { Effect, Layer, Redacted } from "effect"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { at } from "../sandbox/support.ts"
import { chainflip } from "./chainflip/fixtures.ts"
import { suite } from "./Provider.ts"
import { SandboxWorld } from "./sandbox/SandboxWorld.ts"
import { Upstream } from "./Upstream.ts"
import { make } from "../../src/providers/chainflip/provider.ts"

const provider = Effect.gen(function* () {
  const { chainflip } = yield* Sandbox
  return yield* make({
    ...chainflip,
    brokerUrl: Redacted.make(chainflip.brokerUrl),
    explorerUrl: "https://scan.test/channels/{issuedBlock}-{network}-{channelId}",
    environmentMaxAge: 0,
  })
})

const upstream = Layer.effect(
  Upstream,
  Effect.gen(function* () {
    const { heal, settle, tamper, view } = yield* SandboxWorld
    // The network of the fixtures has no Tron: it serves each asset that the sandbox has otherwise.
    yield* settle({ change: "setAsset", asset: "trx.tron", creationEnabled: false })
    return Upstream.of({
      openings: Effect.map(view, (json) => Number(at(json, "openChannelCount"))),
      inventStates: tamper({
        path: /\/v2\/swaps\//,
        does: (body) => body.replace(/"state":"[A-Z]+"/, '"state":"REBALANCING"'),
      }),
      heal,
    })
  }),
)

suite(
  "chainflip, over the sockets of the sandbox",
  provider,
  Layer.provideMerge(upstream, SandboxWorld.layer),
  chainflip,
)
