import { Duration, Schema } from "effect"
import { between, count } from "#infrastructure/config/kinds.ts"
import { derived, setting, struct } from "#infrastructure/config/Setting.ts"

/** The settings of the MCP endpoint. */
export const mcpSettings = struct({
  isOn: derived(
    setting({
      name: "MCP",
      default: "on",
      schema: Schema.Literals(["on", "off"]),
      expected: "on or off",
      meaning: "Whether agents are served under POST /mcp (Model Context Protocol)",
    }),
    (value) => value === "on",
  ),
  confirmationLifetime: setting({
    name: "MCP_CONFIRMATION_LIFETIME",
    default: "2 minutes",
    schema: between(Duration.millis(1), Duration.minutes(10)),
    expected: 'a duration from 1 millis to 10 minutes, such as "2 minutes"',
    meaning: "How long a swap that an agent has prepared can be opened: the time to read two addresses",
  }),
  sessions: struct({
    most: count(1, 100_000, {
      name: "MCP_SESSIONS_MOST",
      default: 1_000,
      meaning:
        "Sessions of MCP in this process at the same time; only clients of its older versions have one",
    }),
    mostOfAccount: count(1, 10_000, {
      name: "MCP_SESSIONS_OF_ACCOUNT",
      default: 20,
      meaning: "Those of them of one account. A further one ends the one that was not used for longest",
    }),
    idle: setting({
      name: "MCP_SESSION_IDLE",
      default: "30 minutes",
      schema: between(Duration.seconds(1), Duration.days(1)),
      expected: 'a duration from 1 second to 1 day, such as "30 minutes"',
      meaning: "How long a session of MCP stays that is not used",
    }),
  }),
})
