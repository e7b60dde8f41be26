import { Context, Effect, Option, Result } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { CircuitScope } from "#infrastructure/platform/CircuitScope.ts"
import type { SharedStore } from "../limits/SharedStore.ts"
import { followedByGauges } from "#providers/guard/circuitMetrics.ts"

type Store = CircuitBreaker.CircuitBreakerStore["Service"]
type StoreAnswer<A, R> = Effect.Effect<A, CircuitBreaker.CircuitBreakerError, R>

/** Shared generations are never negative, so an admission tells which store it belongs to. */
const toLocal = (generation: number): number => -1 - generation
const isLocal = (generation: number): boolean => generation < 0

/** A refusal is an answer of the store; only its own failure is not. */
const isRefusal = ({ reason }: CircuitBreaker.CircuitBreakerError): boolean =>
  reason._tag !== "CircuitBreakerStoreError"

const answered = <A, R>(question: StoreAnswer<A, R>) =>
  question.pipe(
    Effect.map(Result.succeed),
    Effect.catchIf(isRefusal, (refusal) => Effect.succeed(Result.fail(refusal))),
  )

/**
 * Circuits that are shared while the shared store answers, and this process's own (`local`) while it does not: a store
 * that is away or slow refuses no call.
 *
 * An admission is recorded in the store that gave it or nowhere, as the other store knows nothing of the call. An
 * admission that the shared store gives too late can leave its circuit half-open until the lease of the probe ends.
 */
export const sharedCircuits = (
  { ask, sharing }: SharedStore<{ readonly circuits: Store }>,
  local: Store,
): Context.Context<CircuitBreaker.CircuitBreakerStore | CircuitScope> => {
  /** The shared store's answer; `otherwise` where it cannot be asked. */
  const asked = <A, R>(
    question: (store: Store) => StoreAnswer<A, R>,
    otherwise: StoreAnswer<A, R>,
  ): StoreAnswer<A, R> =>
    Effect.flatMap(
      ask(({ circuits }) => answered(question(circuits))),
      Option.match({ onSome: Effect.fromResult, onNone: () => otherwise }),
    )

  const store = CircuitBreaker.CircuitBreakerStore.of({
    admit: (key) =>
      asked(
        (shared) => shared.admit(key),
        Effect.map(
          local.admit(key),
          (admission) => ({ ...admission, generation: toLocal(admission.generation) }),
        ),
      ),
    record: (outcome) =>
      isLocal(outcome.generation)
        ? local.record({ ...outcome, generation: toLocal(outcome.generation) })
        : asked((shared) => shared.record(outcome), Effect.undefined),
    state: (key) => asked((shared) => shared.state(key), local.state(key)),
  })

  return Context.make(CircuitBreaker.CircuitBreakerStore, followedByGauges(store)).pipe(
    Context.add(CircuitScope, CircuitScope.of({ current: sharing })),
  )
}
