import { Config, DateTime, Option, Schema } from "effect"
import { EpochMillis } from "../domain/Time.ts"
import type { SandboxOptions } from "./Sandbox.ts"

const Port = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))
const Speed = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

/** Settings of `deno task sandbox` (operation.md); `SANDBOX_GENESIS` is an ISO date. */
export const sandboxSettings: Config.Config<SandboxOptions> = Config.all({
  hostname: Config.withDefault(Config.NonEmptyString("HOST"), "127.0.0.1"),
  port: Config.withDefault(Config.schema(Port, "SANDBOX_PORT"), 9944),
  speed: Config.withDefault(Config.schema(Speed, "SANDBOX_SPEED"), 60),
  seed: Config.withDefault(Config.NonEmptyString("SANDBOX_SEED"), "sandbox"),
  genesis: Config.option(Config.schema(Schema.DateTimeUtcFromString, "SANDBOX_GENESIS")),
  dataDir: Config.withDefault(Config.NonEmptyString("DATA_DIR"), "./data"),
}).pipe(Config.map(({ genesis, ...settings }) => ({
  ...settings,
  ...(Option.isSome(genesis) ? { genesis: EpochMillis.make(DateTime.toEpochMillis(genesis.value)) } : {}),
})))
