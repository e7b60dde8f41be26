import { Cause, ConfigProvider, Console, Effect, Exit, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { newKeyId, newKeyWithoutMac } from "#application/accounts/ApiKey.ts"
import { app } from "#App.ts"
import { EnvironmentNames } from "#infrastructure/config/nearMisses.ts"
import { readSettings } from "#settings.ts"
import { Server } from "#interfaces/http/server/Server.ts"
import { Client } from "./Client.ts"
import { perform, scenarios } from "./perform.ts"

const apiKey = Redacted.value(newKeyWithoutMac(newKeyId()))

/** The demo's own broker: in memory, on a free port, in a simulated world whose time only the demo moves. */
const broker = Layer.unwrap(Effect.map(readSettings, (settings) => app(settings))).pipe(
  Layer.provide(Layer.succeed(EnvironmentNames, [])),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({
    env: {
      PORT: "0",
      DATA_DIR: "memory",
      SANDBOX_SPEED: "0",
      BOOTSTRAP_API_KEY: apiKey,
      DRAIN_DELAY: "0 millis",
      // Look-ups are not limited, as the demo reads the state after each simulated block, hundreds a second.
      LOOKUPS_PER_SECOND: "10000",
      LOG_LEVEL: "warn",
      LOG_FORMAT: "pretty",
    },
  }))),
)

const client = Layer.unwrap(Effect.map(Server, ({ url }) => Client.layer({ url, apiKey }))).pipe(
  Layer.provide(FetchHttpClient.layer),
)

const listHistory = Effect.gen(function* () {
  const swaps = yield* (yield* Client).history
  yield* Console.log(`\n${scenarios.length + 1}. The history lists ${swaps.length} completed swaps`)
  for (const { id, status } of swaps) {
    yield* Console.log(`   ${id}  ${status.sourceAsset} → ${status.destinationAsset}  ${status.state}`)
  }
})

const demo = Effect.gen(function* () {
  const { url } = yield* Server
  yield* Console.log(`Swap Broker demo at ${url.origin}: the networks are simulated, no money moves.`)
  yield* Console.log("Times are simulated seconds since the deposit.")
  yield* Effect.forEach(scenarios, (scenario, index) => perform(scenario, index + 1))
  yield* listHistory
  yield* Console.log("\nEverything went as it should.")
})

const exit = await Effect.runPromiseExit(Effect.provide(demo, client.pipe(Layer.provideMerge(broker))))
if (Exit.isFailure(exit)) console.error(`\nThe demo failed. ${Cause.squash(exit.cause)}`)
Deno.exit(Exit.isSuccess(exit) ? 0 : 1)
