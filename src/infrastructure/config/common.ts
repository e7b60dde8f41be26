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
    "sandbox: upstreams are simulated and no money moves, but for those whose URLs are set. live: the real ones",
})

export const sandboxSpeed = numberBetween(0, 100_000, {
  name: "SANDBOX_SPEED",
  default: "60",
  meaning: "Simulated seconds for each real second; 0 stands still until POST /sandbox/time",
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
  meaning: "Folder of the embedded database and of the sandbox; memory keeps nothing",
})

/** The folder in which systemd puts credentials, and a container's engine secrets. */
export const credentialsDirectory = optionalSetting({
  name: "CREDENTIALS_DIRECTORY",
  unset: "settings are variables alone; systemd sets it where the unit has LoadCredential",
  schema: Schema.NonEmptyString,
  expected: "a folder",
  meaning:
    "Folder of files, each with the value of the setting that it is named after, where no variable has one",
})

/** The running service that the operator's commands call. */
export const serviceSettings = struct({
  url: optionalUrl({
    name: "BROKER_URL",
    isTuning: false,
    unset: "the commands open the database themselves",
    meaning: "Only for `deno task cli`: the running service that the commands work with",
  }),
  apiKey: optionalSetting({
    name: "BROKER_API_KEY",
    isTuning: false,
    unset: "unset",
    schema: Schema.RedactedFromValue(Schema.NonEmptyString),
    expected: "an API key",
    meaning: "Only for `deno task cli`: an API key of that service with the scope operate",
  }),
})
