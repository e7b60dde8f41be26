import { Duration, Schema } from "effect"
import { between } from "../config/kinds.ts"
import { derived, setting, struct } from "../config/Setting.ts"

/** How long the history of the providers is kept. */
export const historySettings = struct({
  keep: setting({
    name: "PROVIDER_HISTORY_KEEP",
    default: "90 days",
    schema: between(Duration.days(1), Duration.days(3_650)),
    expected: "a duration from 1 day to 3650 days, such as 90 days",
    meaning:
      "How long the hourly results of each provider's calls are kept, for GET /operator/providers/{name}/history",
  }),
  isPublic: derived(
    setting({
      name: "PROVIDER_HISTORY_PUBLIC",
      default: "off",
      schema: Schema.Literals(["on", "off"]),
      expected: "on or off",
      meaning:
        "Whether GET /providers/{name}/history, the daily results of each provider, needs no key. It counts the calls and " +
        "swaps of all accounts, so every reader sees your volume",
    }),
    (value) => value === "on",
  ),
})
