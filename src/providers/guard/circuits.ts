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

/** Sets the gauges of a provider's circuits before their first call, so that alerts have series to read. */
export const circuitsBegin = (provider: ProviderName): Effect.Effect<void> =>
  Effect.forEach(OperationGroup, (operation) => circuitIs(provider, operation, "Closed"), { discard: true })

type Store = CircuitBreaker.CircuitBreakerStore["Service"]

/**
 * Keeps the gauges in step with circuits that other replicas change too: their changes show in the state that an
 * admission reports, while transitions report only this process's own. Keys are `provider/group`.
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
