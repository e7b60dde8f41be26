import { Schema } from "effect"
import { durationWithin } from "../config/kinds.ts"
import { derived, setting, struct } from "../config/Setting.ts"

/** How long the history of the providers is kept. */
export const historySettings = struct({
  keep: durationWithin("1 day", "3650 days", {
    name: "PROVIDER_HISTORY_KEEP",
    default: "90 days",
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
