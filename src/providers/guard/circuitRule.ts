import { CircuitBreaker } from "effect/persistence"
import { count, numberBetween } from "#infrastructure/config/kinds.ts"
import { derived, struct } from "#infrastructure/config/Setting.ts"

/** When a circuit opens: by the share of failures among the latest calls of its provider and group. */
export const trip = derived(
  struct({
    size: count(1, 10_000, {
      name: "CIRCUIT_WINDOW",
      default: 20,
      meaning: "Latest calls that decide about a circuit",
    }),
    minimumCalls: count(1, 10_000, {
      name: "CIRCUIT_MINIMUM_CALLS",
      default: 10,
      meaning: "Calls in the window before a circuit can open",
    }),
    threshold: numberBetween(0.01, 1, {
      name: "CIRCUIT_FAILURE_SHARE",
      default: "0.5",
      meaning: "Share of failures in the window that opens a circuit",
    }),
  }),
  ({ minimumCalls, size, threshold }) =>
    CircuitBreaker.rate({ threshold, size, minimumCalls: Math.min(minimumCalls, size) }),
)

/** When the circuit of openings opens: they are few, so failures in a row count. */
export const openingTrip = derived(
  count(1, 1_000, {
    name: "OPEN_FAILURES",
    default: 5,
    meaning: "Openings that fail in a row before the provider's circuit opens",
  }),
  (failures) => CircuitBreaker.consecutive(failures),
)
