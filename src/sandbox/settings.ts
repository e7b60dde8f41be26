import { Effect, Option, Result, Schema } from "effect"
import { settings, settingsWrong } from "../Config.ts"
import { faultsOf } from "../domain/Faults.ts"
import { setting } from "../Setting.ts"

const sandboxPort = setting({
  name: "SANDBOX_PORT",
  default: "9944",
  schema: Schema.FiniteFromString.pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))),
  ),
  expected: "a port from 0 to 65535",
  meaning: "Port of `deno task sandbox`",
})

/** The settings of `deno task sandbox` (operation.md), from its environment; all faults at once. */
export const readSandboxSettings = Effect.gen(function* () {
  const results = yield* Effect.all({
    hostname: settings.host.read,
    port: sandboxPort.read,
    speed: settings.sandboxSpeed.read,
    seed: settings.sandboxSeed.read,
    genesis: settings.sandboxGenesis.read,
    dataDir: settings.dataDir.read,
  })
  const read = Result.mapError(Result.all(results), () => settingsWrong(faultsOf(Object.values(results))))
  const { genesis, ...others } = yield* Effect.fromResult(read)
  return { ...others, ...(Option.isSome(genesis) ? { genesis: genesis.value } : {}) }
})
