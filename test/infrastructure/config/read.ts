import { ConfigProvider, Effect } from "effect"
import { foundIn, orSettingsWrong } from "#infrastructure/config/read.ts"
import type { Setting } from "#infrastructure/config/Setting.ts"
import { announced } from "#sandbox/announced.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { readSettings } from "#settings.ts"

export type Environment = Readonly<Record<string, string>>

/** The settings of an environment that has these variables and no others. */
export const readFrom = (env: Environment) =>
  readSettings.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))

/** A setting in an environment with these variables, beside a sandbox that listens at this place. */
export const valueFrom = <A>(setting: Setting<A>, env: Environment, sandboxUrl = "http://127.0.0.1:9944") =>
  orSettingsWrong(setting.read(foundIn(env, announced(new URL(sandboxUrl)))))

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
