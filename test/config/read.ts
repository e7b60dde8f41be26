import { ConfigProvider, Effect } from "effect"
import { brokerAccount } from "../../src/sandbox/engine/constants.ts"
import { readSettings } from "../../src/Config.ts"

export type Environment = Readonly<Record<string, string>>

/** The settings of an environment that has these variables and no others. */
export const readFrom = (env: Environment) =>
  readSettings.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))

/** A live mode that has all of its places. */
export const live: Environment = {
  MODE: "live",
  CHAINFLIP_BACKEND_URL: "https://backend.test/v2",
  CHAINFLIP_NODE_URL: "https://node.test",
  CHAINFLIP_BROKER_URL: "https://broker.test/secret",
  CHAINFLIP_BROKER_ACCOUNT: brokerAccount,
}

/** What is wrong with an environment. */
export const issuesOf = (env: Environment) => Effect.map(Effect.flip(readFrom(env)), ({ issues }) => issues)
