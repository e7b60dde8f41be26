import { CircuitBreaker } from "effect/persistence"
import { count, numberBetween } from "#infrastructure/config/kinds.ts"
import { derived, struct } from "#infrastructure/config/Setting.ts"

/** When a circuit opens: by the share of failures among the latest calls of its provider and group. */
export const trip = derived(
  struct({
    size: count(1, 10_000, {
      name: "CIRCUIT_WINDOW",
      default: 20,
      meaning: "Number of latest calls whose failures can pause an operation (the circuit breaker)",
    }),
    minimumCalls: count(1, 10_000, {
      name: "CIRCUIT_MINIMUM_CALLS",
      default: 10,
      meaning: "Minimum of calls in CIRCUIT_WINDOW before the circuit breaker can open",
    }),
    threshold: numberBetween(0.01, 1, {
      name: "CIRCUIT_FAILURE_SHARE",
      default: "0.5",
      meaning: "Share of failures in CIRCUIT_WINDOW that opens the circuit breaker",
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
    meaning: "Number of failed openings in a row that opens the circuit breaker for openings",
  }),
  (failures) => CircuitBreaker.consecutive(failures),
)
