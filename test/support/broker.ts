import { ConfigProvider, Effect, Layer } from "effect"
import { app } from "../../src/App.ts"
import { readSettings } from "../../src/settings.ts"
import { Server } from "../../src/http/server/Server.ts"
import { preparedDatabases } from "./prepared/database.ts"
import { temporaryDatabase } from "./temporaryDatabase.ts"

/** The key of the account `default` of every broker that a test starts. */
export const testKey = "test-key-of-the-default-account-0123456789"

const defaults = {
  PORT: "0",
  DATA_DIR: "memory",
  DRAIN_DELAY: "0 millis",
  BOOTSTRAP_API_KEY: testKey,
  SANDBOX_SPEED: "0",
  SANDBOX_GENESIS: "2026-07-29T14:04:24Z",
  LOG_LEVEL: "none",
  // So high that only tests of the limits reach one.
  RATE_LIMIT: "1000000",
  RATE_LIMIT_SWAP: "1000000",
  RATE_LIMIT_CREDENTIALS: "1000000",
  OPEN_CHANNELS_MOST: "1000000",
  LOOKUPS_PER_SECOND: "10000",
}

/** Where set, every broker keeps its records in a database of its own on that Postgres server. */
export const serverUrl = Deno.env.get("TEST_BROKER_DATABASE_URL")

const ownDatabase = serverUrl === undefined
  ? Effect.succeed({})
  : Effect.map(temporaryDatabase(serverUrl), (url) => ({ DATABASE_URL: url }))

/**
 * A whole broker with its sandbox inside this process, on free ports, with nothing kept. Simulated time
 * stands still but for `POST /sandbox/time`. `environment` overrides single settings; `databases` is what an embedded
 * database begins as.
 */
export const broker = (
  environment: Readonly<Record<string, string>> = {},
  databases: typeof preparedDatabases = preparedDatabases,
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const env = { ...defaults, ...(yield* ownDatabase), ...environment }
      const settings = yield* Effect.provide(
        readSettings,
        ConfigProvider.layer(ConfigProvider.fromEnv({ env })),
      )
      return serverUrl === undefined ? Layer.provide(app(settings), databases) : app(settings)
    }),
  )

/** Where the broker of the layer listens. */
export const brokerUrl = Effect.map(Server, ({ url }) => url)
