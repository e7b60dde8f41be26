import { ConfigProvider, Effect } from "effect"
import { readSettings } from "../../src/Config.ts"

export type Environment = Readonly<Record<string, string>>

/** The settings of an environment that has these variables and no others. */
export const readFrom = (env: Environment) =>
  readSettings.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))

/** What is wrong with an environment. */
export const faultsOf = (env: Environment) => Effect.map(Effect.flip(readFrom(env)), ({ faults }) => faults)
