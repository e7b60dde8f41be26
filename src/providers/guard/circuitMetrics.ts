import { Context, Effect, Metric } from "effect"
import type { CircuitBreaker } from "effect/persistence"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { CallRecorder } from "#infrastructure/ops/CallRecorder.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { OperationGroup } from "../operations.ts"

/** Whether the calls of this fiber decide about circuits. Those that no client waits for do not. */
export const DecidesCircuits = Context.Reference<boolean>("swap-broker/providers/guard/DecidesCircuits", {
  defaultValue: () => true,
})

const circuitNumber = { Closed: 0, HalfOpen: 1, Open: 2 } as const

export const circuitIs = (
  provider: string,
  operation: string,
  state: CircuitBreaker.State["_tag"],
): Effect.Effect<void> => Metric.update(metrics.circuitState({ provider, operation }), circuitNumber[state])

/** Sets the gauges of a provider's circuits before their first call, so that alerts have series to read. */
export const circuitsBegin = (provider: ProviderName): Effect.Effect<void> =>
  Effect.forEach(OperationGroup, (operation) => circuitIs(provider, operation, "Closed"), { discard: true })

export const tellTransition = (
  name: OperationGroup,
  { key, to }: CircuitBreaker.Transition,
  recorder: CallRecorder,
  now: number,
): Effect.Effect<void> => {
  const [provider = key] = key.split("/")
  recorder.circuit(provider, name, to === "Open", now)
  const moved = metrics.circuitTransitions({ provider, operation: name, to: to.toLowerCase() })
  return Effect.logWarning(`The circuit of ${provider} for ${name} is now ${to}`).pipe(
    Effect.andThen(Metric.update(moved, 1)),
    Effect.andThen(circuitIs(provider, name, to)),
  )
}

type Store = CircuitBreaker.CircuitBreakerStore["Service"]

/** Keeps the gauges in step with circuits that other replicas change. Keys are `provider/group`. */
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
