import { Schema } from "effect"
import { anHttpUrl, Genesis, HttpUrl, integer, numberFrom } from "./settingKinds.ts"
import { optionalSetting, setting } from "./Setting.ts"

/** The simulated world. */
export const sandboxSettings = {
  sandboxSpeed: setting({
    name: "SANDBOX_SPEED",
    default: "60",
    schema: numberFrom(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))),
    expected: "a number from 0 to 100000",
    meaning: "Simulated seconds for each real second; 0 stands still until POST /sandbox/time",
  }),
  sandboxSeed: setting({
    name: "SANDBOX_SEED",
    default: "sandbox",
    schema: Schema.NonEmptyString,
    expected: "any text",
    meaning: "The same seed and the same requests give the same answers",
  }),
  sandboxGenesis: optionalSetting({
    name: "SANDBOX_GENESIS",
    defaultNote: "the first start",
    schema: Genesis,
    expected: "a date such as 2026-01-01T00:00:00Z",
    meaning: "Simulated time at which the sandbox begins",
  }),
  sandboxPort: setting({
    name: "SANDBOX_PORT",
    default: "9944",
    schema: integer(0, 65_535),
    expected: "a port from 0 to 65535",
    meaning: "Port of `deno task sandbox`",
  }),
  sandboxUrl: optionalSetting({
    name: "SANDBOX_URL",
    defaultNote: "the sandbox runs inside the service",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "A running `deno task sandbox` that several replicas share; controls are forwarded to it",
  }),
}
