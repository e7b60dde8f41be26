import { Metric } from "effect"

/** Seconds; from a local answer to the longest opening. */
const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Every metric of the service. No label ever holds a key, an address or a swap. */
export const metrics = {
  providerCalls: Metric.counter("swap_broker_provider_calls_total", {
    description: "Calls of providers by provider, operation and outcome",
    incremental: true,
  }),
  providerCallSeconds: Metric.histogram("swap_broker_provider_call_duration_seconds", {
    description: "How long calls of providers took, by provider and operation",
    boundaries: durations,
  }),
  providerInFlight: Metric.gauge("swap_broker_provider_calls_in_flight", {
    description: "Calls of providers under way, by provider and operation",
  }),
  circuitState: Metric.gauge("swap_broker_circuit_state", {
    description: "0 closed, 1 half-open, 2 open, by provider and operation",
  }),
  circuitTransitions: Metric.counter("swap_broker_circuit_transitions_total", {
    description: "Transitions of circuits by provider, operation and new state",
    incremental: true,
  }),
  circuitsShared: Metric.gauge("swap_broker_circuits_shared", {
    description: "1 while circuits are shared through Redis, 0 while they are not although REDIS_URL is set",
  }),
  quotesShared: Metric.counter("swap_broker_quotes_shared_total", {
    description: "Quote requests to a provider that were answered by another's call, by provider and how",
    incremental: true,
  }),
  requestSeconds: Metric.histogram("swap_broker_request_duration_seconds", {
    description: "How long requests took, by method, route and status",
    boundaries: durations,
  }),
}
