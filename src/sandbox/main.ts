import { Effect, Layer } from "effect"
import { runMain } from "../platform/runMain.ts"
import { Sandbox } from "./Sandbox.ts"
import { readSandboxSettings } from "./settings.ts"

const announce = Layer.effectDiscard(Effect.gen(function* () {
  const { chainflip, url } = yield* Sandbox
  yield* Effect.log(`Sandbox: simulated networks, no money moves. Controls at ${new URL("/sandbox", url)}`)
  yield* Effect.log(`CHAINFLIP_BACKEND_URL=${chainflip.backendUrl}`)
  yield* Effect.log(`CHAINFLIP_NODE_URL=${chainflip.nodeUrl}`)
  yield* Effect.log(`CHAINFLIP_BROKER_URL=${chainflip.brokerUrl}`)
  yield* Effect.log(`CHAINFLIP_BROKER_ACCOUNT=${chainflip.brokerAccount}`)
}))

runMain(
  Layer.provide(announce, Layer.unwrap(Effect.map(readSandboxSettings, Sandbox.layer))),
)
