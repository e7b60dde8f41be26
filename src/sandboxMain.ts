import { Effect, Layer } from "effect"
import { logging } from "./app/logging.ts"
import { sandboxOptions } from "./app/sandboxOptions.ts"
import { readSettings, type Settings } from "./Config.ts"
import { runMain } from "./platform/runMain.ts"
import { Sandbox } from "./sandbox/Sandbox.ts"

/** Says which settings lead a service to the simulated networks. */
const announce = Layer.effectDiscard(Effect.gen(function* () {
  const { chainflip, url } = yield* Sandbox
  yield* Effect.logInfo(
    `Sandbox: simulated networks, no money moves. Controls at ${new URL("/sandbox", url)}`,
  )
  yield* Effect.logInfo(`SANDBOX_URL=${url.origin}`)
  yield* Effect.logInfo(`CHAINFLIP_BACKEND_URL=${chainflip.backendUrl}`)
  yield* Effect.logInfo(`CHAINFLIP_NODE_URL=${chainflip.nodeUrl}`)
  yield* Effect.logInfo(`CHAINFLIP_BROKER_URL=${chainflip.brokerUrl}`)
  yield* Effect.logInfo(`CHAINFLIP_BROKER_ACCOUNT=${chainflip.brokerAccount}`)
}))

const sandbox = (settings: Settings) =>
  announce.pipe(
    Layer.provide(
      Sandbox.layer(sandboxOptions(settings, { hostname: settings.host, port: settings.sandboxPort })),
    ),
    Layer.provide(logging(settings)),
  )

runMain(Layer.unwrap(Effect.map(readSettings, sandbox)))
