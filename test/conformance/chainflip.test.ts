import { Effect, Redacted } from "effect"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { chainflip } from "./chainflip/fixtures.ts"
import { suite } from "./Provider.ts"
import { upstreamIn } from "./sandbox/upstreamIn.ts"
import { make } from "#providers/chainflip/provider.ts"

const provider = Effect.gen(function* () {
  const { chainflip } = yield* Sandbox
  return yield* make({
    ...chainflip,
    brokerUrl: Redacted.make(chainflip.brokerUrl),
    explorerUrl: "https://scan.test/channels/{issuedBlock}-{network}-{channelId}",
    environmentMaxAge: 0,
  })
})

const world = upstreamIn({
  openings: ["openChannelCount"],
  path: /\/v2\/swaps\//,
  state: /"state":"[A-Z]+"/,
  unknown: '"state":"REBALANCING"',
  // The network of the fixtures has no Tron: it serves each asset that the sandbox has otherwise.
  first: { change: "setAsset", asset: "trx.tron", creationEnabled: false },
})

suite("chainflip, over the sockets of the sandbox", provider, world, chainflip)
