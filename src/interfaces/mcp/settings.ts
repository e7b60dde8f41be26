import { Schema } from "effect"
import { count, durationWithin } from "#infrastructure/config/kinds.ts"
import { derived, setting, struct } from "#infrastructure/config/Setting.ts"

export const mcpSettings = struct({
  isOn: derived(
    setting({
      name: "MCP",
      default: "on",
      schema: Schema.Literals(["on", "off"]),
      expected: "on or off",
      meaning: "Whether POST /mcp is served, for AI agents (Model Context Protocol)",
    }),
    (value) => value === "on",
  ),
  confirmationLifetime: durationWithin("1 millis", "10 minutes", {
    name: "MCP_CONFIRMATION_LIFETIME",
    default: "2 minutes",
    meaning:
      "Lifetime of a swap that an agent has prepared, in which it can be opened. Allow time to compare two addresses",
  }),
  sessions: struct({
    most: count(1, 100_000, {
      name: "MCP_SESSIONS_MOST",
      default: 1_000,
      meaning: "Maximum number of MCP sessions in this process; only older clients use sessions",
    }),
    mostOfAccount: count(1, 10_000, {
      name: "MCP_SESSIONS_OF_ACCOUNT",
      default: 20,
      meaning: "Maximum number of MCP sessions of one account; a further one ends the longest idle one",
    }),
    idle: durationWithin("1 second", "1 day", {
      name: "MCP_SESSION_IDLE",
      default: "30 minutes",
      meaning: "Idle time after which an MCP session ends",
    }),
  }),
})
