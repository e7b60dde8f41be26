import { Effect, Metric } from "effect"
import type { CircuitBreaker } from "effect/persistence"
import type { ProviderName } from "../../domain/ProviderName.ts"
import { metrics } from "../../ops/Metrics.ts"
import { OperationGroup } from "../Provider.ts"

const circuitNumber = { Closed: 0, HalfOpen: 1, Open: 2 } as const

/** Sets the gauge of one circuit. */
export const circuitIs = (
  provider: string,
  operation: string,
  state: CircuitBreaker.State["_tag"],
): Effect.Effect<void> => Metric.update(metrics.circuitState({ provider, operation }), circuitNumber[state])

/** Shows the circuits of a provider before anything happens to them, so that an alert has a series to read. */
export const circuitsBegin = (provider: ProviderName): Effect.Effect<void> =>
  Effect.forEach(OperationGroup, (operation) => circuitIs(provider, operation, "Closed"), { discard: true })

type Store = CircuitBreaker.CircuitBreakerStore["Service"]

/**
 * Keeps the gauges in step with circuits that others move as well: what an admission says of a circuit is news
 * there, while transitions only tell of one's own. Keys are `provider/group`.
 */
export const followedByGauges = (store: Store): Store => {
  const show = (key: string, state: CircuitBreaker.State["_tag"]) => {
    const [provider = key, operation = ""] = key.split("/")
    return circuitIs(provider, operation, state)
  }
  return {
    ...store,
    admit: (key) =>
      store.admit(key).pipe(
        Effect.tap(({ probe }) => show(key, probe ? "HalfOpen" : "Closed")),
        Effect.tapError(({ reason }) =>
          reason._tag === "CircuitBreakerStoreError"
            ? Effect.void
            : show(key, reason._tag === "CircuitOpen" ? "Open" : "HalfOpen")
        ),
      ),
  }
}
