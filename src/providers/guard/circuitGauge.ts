import { Effect, Metric } from "effect"
import type { CircuitBreaker } from "effect/persistence"
import type { ProviderName } from "../../domain/ProviderName.ts"
import { metrics } from "../../ops/Metrics.ts"
import { OperationGroup } from "./knobs.ts"

const circuitNumber = { Closed: 0, HalfOpen: 1, Open: 2 } as const

/** Sets the gauge of one circuit. */
export const circuitIs = (
  provider: string,
  operation: OperationGroup,
  state: CircuitBreaker.State["_tag"],
): Effect.Effect<void> => Metric.update(metrics.circuitState({ provider, operation }), circuitNumber[state])

/** Shows the circuits of a provider before anything happens to them, so that an alert has a series to read. */
export const circuitsBegin = (provider: ProviderName): Effect.Effect<void> =>
  Effect.forEach(OperationGroup, (operation) => circuitIs(provider, operation, "Closed"), { discard: true })
