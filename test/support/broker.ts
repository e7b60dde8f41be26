import { ConfigProvider, Context, Effect, Layer, Metric, Scope } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { app } from "#App.ts"
import { everySetting, readSettings } from "#settings.ts"
import { Server } from "#interfaces/http/server/Server.ts"
import { preparedDatabases } from "./prepared/database.ts"
import { preparedDatabase } from "./prepared/template.ts"
import { withoutSocket } from "./reach.ts"

/** The key of the account `default` of every broker that a test starts. */
export const testKey = "test-key-of-the-default-account-0123456789"

/**
 * The service's limits on time, so long that no machine is too slow for them: a test that is about one of them sets
 * its own.
 */
export const patience: Readonly<Record<string, string>> = Object.fromEntries(
  everySetting.variables
    .filter(({ name }) => /_(TIMEOUT|DEADLINE|SLOW_CALL)$/.test(name))
    .map(({ name }) => [name, "1 minute"]),
)

/** No upstream's limit: the simulated ones have none, wherever they stand. */
const noLimits: Readonly<Record<string, string>> = Object.fromEntries(
  everySetting.variables.filter(({ name }) => name.endsWith("_PER_MINUTE")).map(({ name }) => [name, "0"]),
)

const defaults = {
  ...patience,
  ...noLimits,
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

/** What a service on that server needs besides: few connections, as there are many services, and a key of its own. */
const onServer = serverUrl === undefined ? {} : {
  DATABASE_CONNECTIONS: "3",
  CASE_FILE_KEYS: generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" })
    .toString(),
}

const ownDatabase = serverUrl === undefined
  ? Effect.succeed({})
  : Effect.map(preparedDatabase(serverUrl), (url) => ({ ...onServer, DATABASE_URL: url }))

type Environment = Readonly<Record<string, string>>

/**
 * A whole broker with its sandbox inside this process, on free ports, with nothing kept. Simulated time
 * stands still but for `POST /sandbox/time`. `environment` overrides single settings; `databases` is what its embedded
 * database begins as, if that is not empty.
 */
export const broker = (
  environment: Environment = {},
  databases: typeof preparedDatabases = preparedDatabases,
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const isServed = serverUrl !== undefined && databases === preparedDatabases
      const env = { ...defaults, ...(isServed ? yield* ownDatabase : {}), ...environment }
      const settings = yield* Effect.provide(
        readSettings,
        ConfigProvider.layer(ConfigProvider.fromEnv({ env })),
      )
      return isServed ? app(settings) : Layer.provide(app(settings), databases)
    }),
  ).pipe(Layer.provide(Layer.sync(Metric.MetricRegistry, () => new Map())))

/** The same without a socket of its own: only `reach` finds it. */
export const brokerInProcess = (...settings: Parameters<typeof broker>) =>
  Layer.provide(broker(...settings), withoutSocket)

/**
 * One service for all files of a worker that ask for this layer: it starts with the first of them and lives as long as
 * the worker's process, which takes it along. Each test makes what it needs: its account, its channel.
 */
export const shared = <A, E>(layer: Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.effectContext(Effect.runSync(Effect.cached(Layer.buildWithScope(layer, Scope.makeUnsafe()))))

/** The broker of the layer is of these tests alone, so that they may change its networks for good. */
export class OwnWorld extends Context.Service<OwnWorld, Readonly<Record<never, never>>>()("test/OwnWorld") {
  /** The service of a broker that no other file asks for. */
  static readonly alone = <A, E>(layer: Layer.Layer<A, E>) => Layer.merge(layer, Layer.succeed(OwnWorld, {}))
}

/** The URL of the broker of the layer, for `reach`. */
export const brokerUrl = Effect.map(Server, ({ url }) => url)
