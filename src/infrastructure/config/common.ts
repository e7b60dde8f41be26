/** Settings that several rooms read. */

import { Schema } from "effect"
import { numberBetween, optionalUrl } from "./kinds.ts"
import { derived, optionalSetting, setting, struct } from "./Setting.ts"

/** The mode; its default is sandbox, which cannot lose money. */
export const mode = setting({
  name: "MODE",
  isTuning: false,
  default: "sandbox",
  schema: Schema.Literals(["sandbox", "live"]),
  expected: "sandbox or live",
  meaning:
    "sandbox: providers are simulated, and no money moves unless you set a provider's URLs. live: real providers, " +
    "real money",
})

export const sandboxSpeed = numberBetween(0, 100_000, {
  name: "SANDBOX_SPEED",
  default: "60",
  meaning: "Simulated seconds per real second; 0 stops the clock until POST /sandbox/time",
})

/** How many times faster than the clock the networks run on which swaps are followed. */
export const timeScale = derived(
  sandboxSpeed,
  (speed, { mode }) => mode === "sandbox" ? Math.max(1, speed) : 1,
)

/** The folder of the embedded database and of the sandbox; `memory` keeps nothing. */
export const dataDir = setting({
  name: "DATA_DIR",
  isTuning: false,
  default: "./data",
  schema: Schema.NonEmptyString,
  expected: "a folder, or memory",
  meaning: "Folder of the embedded database and of the sandbox; `memory` stores nothing",
})

/** The folder in which systemd puts credentials, and a container's engine secrets. */
export const credentialsDirectory = optionalSetting({
  name: "CREDENTIALS_DIRECTORY",
  unset: "only variables are read; systemd sets it for units with LoadCredential",
  schema: Schema.NonEmptyString,
  expected: "a folder",
  meaning: "Folder of credential files, each named after a setting. A variable of the same name wins",
})

/** The running service that the operator's commands call. */
export const serviceSettings = struct({
  url: optionalUrl({
    name: "BROKER_URL",
    isTuning: false,
    unset: "none: commands open the database",
    meaning: "Command line only: URL of the running service that the commands work with",
  }),
  apiKey: optionalSetting({
    name: "BROKER_API_KEY",
    isTuning: false,
    unset: "none",
    schema: Schema.RedactedFromValue(Schema.NonEmptyString),
    expected: "an API key",
    meaning: "Command line only: an API key of that service with the scope operate",
  }),
})
