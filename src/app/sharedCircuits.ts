import { Cause, Context, Deferred, Duration, Effect, Metric, Option, References, type Scope } from "effect"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import { metrics } from "../ops/Metrics.ts"
import { CircuitScope } from "../providers/CircuitScope.ts"
import { followedByGauges } from "../providers/guard/circuitGauge.ts"

type Store = CircuitBreaker.CircuitBreakerStore["Service"]

/** A way to the shared store. */
export interface CircuitConnection {
  readonly store: Store
  /** Ends, with why, once the connection is gone. */
  readonly lost: Effect.Effect<string>
}

/** How circuits are shared. */
export interface SharedCircuitsOptions {
  /** What the shared store is called in the log, and to the operator. */
  readonly name: string
  /** Takes bounded time. The connection lasts until the scope closes. */
  readonly connect: Effect.Effect<CircuitConnection, Error, Scope.Scope>
  /** Longest that a call waits for the shared store before it is made, and again once it has ended. */
  readonly patience: Duration.Duration
  /** How long the shared store is left alone before another attempt to connect. */
  readonly rest: Duration.Duration
  /** The circuits of this process alone. */
  readonly local: Store
}

interface InUse {
  readonly store: Store
  /** Done once a question over this connection was not answered. */
  readonly failed: Deferred.Deferred<void>
}

/** Shared generations are never negative, so that an admission tells which store it is of. */
const toLocal = (generation: number): number => -1 - generation
const isLocal = (generation: number): boolean => generation < 0

const isRefusal = (cause: Cause.Cause<CircuitBreaker.CircuitBreakerError>): boolean =>
  Option.exists(Cause.findErrorOption(cause), ({ reason }) => reason._tag !== "CircuitBreakerStoreError")

/** What went wrong in the first place, in words of whoever found it. */
const whyOf = (error: unknown): string => {
  if (error instanceof CircuitBreaker.CircuitBreakerError) return whyOf(error.reason)
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? whyOf(error.cause) : error.message || error.name
}

/**
 * Circuits that are shared while the shared store answers, and this process's own while it does not: a store
 * that is away or slow refuses no call, and holds calls up only until one of them has found it out. Then nobody
 * asks it any more until a new connection, made in the background, has proved itself.
 *
 * What one store has admitted is recorded there or nowhere, as the other knows nothing of the call. An
 * admission that comes too late can leave the shared circuit half-open until the lease of its probe ends.
 */
export const sharedCircuits = Effect.fnUntraced(function* (
  { name, connect, patience, rest, local }: SharedCircuitsOptions,
) {
  let inUse: InUse | undefined
  let why = "there is no connection yet"
  const tooLate = `no answer within ${Duration.format(patience)}`

  /** Late failures over an earlier connection say nothing of the one in use. */
  const giveUp = (connection: InUse, reason: string) =>
    Effect.sync(() => {
      if (inUse !== connection) return
      inUse = undefined
      why = reason
      Deferred.doneUnsafe(connection.failed, Effect.void)
    })

  /** What the shared store says; nothing where it cannot be asked. That nobody may pass is an answer too. */
  const ask = <A, R>(question: (store: Store) => Effect.Effect<A, CircuitBreaker.CircuitBreakerError, R>) =>
    Effect.suspend((): Effect.Effect<Option.Option<A>, CircuitBreaker.CircuitBreakerError, R> => {
      const connection = inUse
      if (connection === undefined) return Effect.succeedNone
      return question(connection.store).pipe(
        Effect.timeoutOption(patience),
        Effect.tap((answer) => Option.isSome(answer) ? Effect.void : giveUp(connection, tooLate)),
        Effect.catchCause((cause) =>
          isRefusal(cause)
            ? Effect.failCause(cause)
            : Effect.as(giveUp(connection, whyOf(Cause.squash(cause))), Option.none())
        ),
        // The store would log whenever the lease of a probe cannot be renewed; that it is away is logged once.
        Effect.provideService(References.UnhandledLogLevel, undefined),
      )
    })

  const store = CircuitBreaker.CircuitBreakerStore.of({
    admit: (key) =>
      Effect.flatMap(
        ask((shared) => shared.admit(key)),
        Option.match({
          onSome: Effect.succeed,
          onNone: () =>
            Effect.map(
              local.admit(key),
              (admission) => ({ ...admission, generation: toLocal(admission.generation) }),
            ),
        }),
      ),
    record: (outcome) =>
      isLocal(outcome.generation)
        ? local.record({ ...outcome, generation: toLocal(outcome.generation) })
        : Effect.map(ask((shared) => shared.record(outcome)), Option.getOrUndefined),
    state: (key) =>
      Effect.flatMap(
        ask((shared) => shared.state(key)),
        Option.match({ onSome: Effect.succeed, onNone: () => local.state(key) }),
      ),
  })

  const trouble = () => `${name} cannot be used: ${why}`
  let told: "shared" | "process" | undefined
  const tried = yield* Deferred.make<void>()

  /** Says once for each time that the circuits are shared from now on, or no longer. */
  const tell = Effect.fnUntraced(function* (scope: "shared" | "process") {
    if (told === scope) return
    told = scope
    yield* scope === "shared"
      ? Effect.logInfo(`Circuits are shared through ${name}`)
      : Effect.logWarning(`${trouble()}. Until it can, circuits are this process's own`)
    yield* Metric.update(metrics.circuitsShared, scope === "shared" ? 1 : 0)
    yield* Deferred.succeed(tried, undefined)
  })

  /** Shares the circuits for as long as one connection is good. */
  const share = Effect.gen(function* () {
    // A client that is interrupted while it connects may never end.
    const connection = yield* Effect.uninterruptible(connect)
    const own = { store: connection.store, failed: yield* Deferred.make<void>() }
    inUse = own
    yield* tell("shared")
    yield* Effect.raceFirst(
      Effect.flatMap(connection.lost, (reason) => giveUp(own, reason)),
      Deferred.await(own.failed),
    )
  }).pipe(
    Effect.scoped,
    Effect.catchCause((cause) =>
      Effect.sync(() => {
        why = whyOf(Cause.squash(cause))
      })
    ),
  )

  yield* share.pipe(
    Effect.andThen(tell("process")),
    Effect.andThen(Effect.sleep(rest)),
    Effect.forever,
    Effect.forkScoped({ startImmediately: true }),
  )
  // The first calls are to find the circuits shared, where they can be.
  yield* Deferred.await(tried)

  return Context.make(CircuitBreaker.CircuitBreakerStore, followedByGauges(store)).pipe(
    Context.add(
      CircuitScope,
      CircuitScope.of({
        current: Effect.sync(() =>
          inUse === undefined ? { scope: "process", reason: trouble() } : { scope: "shared" }
        ),
      }),
    ),
  )
})
