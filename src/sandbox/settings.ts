import { Option, Schema, SchemaGetter } from "effect"
import { optionalUrl, port } from "#infrastructure/config/kinds.ts"
import { dataDir, sandboxSpeed } from "#infrastructure/config/common.ts"
import { derived, optionalSetting, setting, struct } from "#infrastructure/config/Setting.ts"
import { EpochMillis } from "#domain/Time.ts"

const genesis = optionalSetting({
  name: "SANDBOX_GENESIS",
  unset: "the first start",
  schema: Schema.DateFromString.pipe(Schema.decodeTo(EpochMillis, {
    decode: SchemaGetter.transform((date) => date.getTime()),
    encode: SchemaGetter.transform((millis) => new Date(millis)),
  })),
  expected: "a date such as 2026-01-01T00:00:00Z",
  meaning: "Simulated time at which the sandbox begins",
})

const world = struct({
  speed: sandboxSpeed,
  seed: setting({
    name: "SANDBOX_SEED",
    default: "sandbox",
    schema: Schema.NonEmptyString,
    expected: "any text",
    meaning: "Seed of the simulation; the same seed and requests give the same responses",
  }),
  dataDir,
  genesis,
})

export const sandboxSettings = struct({
  world: derived(world, ({ genesis, ...rest }) => ({
    ...rest,
    ...Option.match(genesis, { onNone: () => ({}), onSome: (genesis) => ({ genesis }) }),
  })),
  port: port({ name: "SANDBOX_PORT", default: "9944", meaning: "Port of `deno task sandbox`" }),
  url: optionalUrl({
    name: "SANDBOX_URL",
    unset: "the sandbox runs inside the service",
    meaning: "A running `deno task sandbox` that several replicas share; controls are forwarded to it",
  }),
})
