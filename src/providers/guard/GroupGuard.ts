import { Clock, Duration, Effect, Exit, Metric, Option, Schedule, Stream } from "effect"
import { CircuitBreaker } from "effect/persistence"
import type { AccountId } from "../../domain/Account.ts"
import { NotCalled, ProviderError, type ProviderOperation, TimedOut } from "../../domain/ProviderError.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import { EpochMillis } from "../../domain/Time.ts"
import { metrics } from "../../ops/Metrics.ts"
import { endedBy, makeDeadlines } from "../../platform/Deadlines.ts"
import { makeBulkhead, type Sharing } from "../../platform/Bulkhead.ts"
import { circuitIs } from "./circuitGauge.ts"
import { classify, providerErrorIn } from "./classify.ts"
import { type CallOutcome, type Figures, type LastError, makeFigures } from "./figures.ts"
import type { OperationGroup } from "../Provider.ts"
import type { CircuitKnobs, GroupKnobs } from "./knobs.ts"
import { withRetries } from "./retry.ts"

/** How one group of operations of one provider stands. */
export interface GroupView extends Figures {
  readonly circuit: CircuitBreaker.State
}

/** The guard around one group of operations, of all providers. */
export interface GroupGuard {
  /** Bulkhead, circuit breaker, retries and attempt timeout around a call. */
  readonly around: (
    provider: ProviderName,
    operation: ProviderOperation,
  ) => <A>(call: Effect.Effect<A, ProviderError>) => Effect.Effect<A, ProviderError>
  readonly view: (provider: ProviderName) => Effect.Effect<GroupView>
  /** Whether a call of this account would have to wait for a place. */
  readonly isFull: (provider: ProviderName, account: AccountId | undefined) => boolean
}

/** Where a circuit that cannot be admitted to says nothing of when it can. */
const soon = Duration.seconds(1)

/** Doubling from the first opening up to the cap, each ±20 %. */
const openings = ({ openTime, openTimeMost }: CircuitKnobs) =>
  Schedule.exponential(openTime).pipe(
    Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, openTimeMost))),
    Schedule.jittered,
  )

const notCalled = (
  provider: ProviderName,
  operation: ProviderOperation,
  why: string,
  wait: Duration.Duration,
): ProviderError =>
  new ProviderError({
    provider,
    operation,
    reason: new NotCalled({ detail: why, retryAfterSeconds: Duration.toSeconds(wait) }),
  })

const timedOut = (provider: ProviderName, operation: ProviderOperation): ProviderError =>
  new ProviderError({
    provider,
    operation,
    reason: new TimedOut({ detail: `no answer from ${provider} in time`, reached: true }),
  })

/** What the operator reads of how a call ended. */
const callOutcome = (exit: Exit.Exit<unknown, unknown>, health: CircuitBreaker.Outcome): CallOutcome => {
  if (health._tag === "Failure") return "failed"
  if (health._tag === "Success") return Exit.isSuccess(exit) ? "succeeded" : "refused"
  return Option.exists(providerErrorIn(exit), ({ reason }) => reason._tag === "NotCalled")
    ? "rejected"
    : "cancelled"
}

const lastErrorOf = (exit: Exit.Exit<unknown, unknown>, at: number): { readonly error?: LastError } =>
  Option.match(providerErrorIn(exit), {
    onNone: () => ({}),
    onSome: ({ reason }) => ({
      error: {
        at: EpochMillis.make(at),
        reason: reason._tag,
        detail: "detail" in reason ? reason.detail : reason._tag,
      },
    }),
  })

/** What is known of a call once it has ended. */
interface Judged {
  readonly took: Duration.Duration
  readonly health: CircuitBreaker.Outcome
}

/** The guard of one group of operations: one circuit, one bulkhead and one set of figures for each provider. */
export const makeGroupGuard = Effect.fnUntraced(function* (
  group: OperationGroup,
  knobs: GroupKnobs,
  circuit: CircuitKnobs,
  sharing: Sharing,
) {
  const breaker = yield* CircuitBreaker.make({
    tripPolicy: knobs.trip,
    openDuration: openings(circuit),
    maxOpenDuration: circuit.retryAfterMost,
  })
  const context = yield* Effect.context<never>()
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const keyOf = (provider: ProviderName): string => `${provider}/${group}`
  const attemptDeadlines = yield* makeDeadlines(knobs.attemptTimeout)

  const perProvider = new Map<ProviderName, ReturnType<typeof begin>>()
  const begin = () => ({ bulkhead: makeBulkhead(knobs.bulkhead, sharing), figures: makeFigures() })
  const of = (provider: ProviderName) => {
    const known = perProvider.get(provider) ?? begin()
    perProvider.set(provider, known)
    return known
  }

  yield* breaker.transitions.pipe(
    Stream.runForEach(({ key, to }) => {
      const [provider = key] = key.split("/")
      return Effect.logWarning(`The circuit of ${provider} for ${group} is now ${to}`).pipe(
        Effect.andThen(
          Metric.update(
            metrics.circuitTransitions({ provider, operation: group, to: to.toLowerCase() }),
            1,
          ),
        ),
        Effect.andThen(circuitIs(provider, group, to)),
      )
    }),
    Effect.forkScoped({ startImmediately: true }),
  )

  // Without an effect for each: a call is counted in four places, which took longer than the circuit.
  const count = (
    provider: ProviderName,
    exit: Exit.Exit<unknown, unknown>,
    outcome: CallOutcome,
    took: Duration.Duration | undefined,
  ): void => {
    of(provider).figures.count({
      outcome,
      ...(took === undefined ? {} : { tookMillis: Duration.toMillis(took) }),
      ...(outcome === "failed" ? lastErrorOf(exit, now()) : {}),
    })
    metrics.providerCalls({ provider, operation: group, outcome }).updateUnsafe(1, context)
    if (took !== undefined) {
      metrics.providerCallSeconds({ provider, operation: group })
        .updateUnsafe(Duration.toSeconds(took), context)
    }
  }

  const reject = (error: ProviderError): Effect.Effect<never, ProviderError> =>
    Effect.suspend(() => {
      count(error.provider, Exit.fail(error), "rejected", undefined)
      return Effect.fail(error)
    })

  /** Bounds and repeats the call; what it waited for its place is part of its deadline. */
  const attempted = <A>(
    provider: ProviderName,
    operation: ProviderOperation,
    call: Effect.Effect<A, ProviderError>,
    waitedMillis: number,
  ): Effect.Effect<A, ProviderError> => {
    const inTime = endedBy(attemptDeadlines, call, () => timedOut(provider, operation))
    if (waitedMillis === 0) return withRetries(inTime, knobs)
    const deadline = Duration.subtract(knobs.deadline, Duration.millis(waitedMillis))
    const orElse = () => Effect.fail(timedOut(provider, operation))
    return withRetries(Effect.timeoutOrElse(inTime, { duration: deadline, orElse }), { ...knobs, deadline })
  }

  /** Counts the call and tells the circuit how the upstream fares. `asked` is when the call was asked for. */
  const throughCircuit = <A>(
    provider: ProviderName,
    operation: ProviderOperation,
    call: Effect.Effect<A, ProviderError>,
    asked: number,
  ) =>
    Effect.suspend(() => {
      const started = now()
      let judged: Judged | undefined
      // Once, so that the circuit is told what is counted.
      const judge = (exit: Exit.Exit<A, ProviderError>): Judged => {
        if (judged !== undefined) return judged
        const took = Duration.millis(now() - started)
        return judged = { took, health: classify(exit, took, knobs.slowCall) }
      }
      return attempted(provider, operation, call, started - asked).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            const { took, health } = judge(exit)
            count(provider, exit, callOutcome(exit, health), health._tag === "Ignored" ? undefined : took)
          })
        ),
        breaker.execute({ key: keyOf(provider), classify: (exit) => judge(exit).health }),
        Effect.catchTag("CircuitBreakerError", ({ reason }) => {
          const wait = reason._tag === "CircuitOpen" ? Duration.max(reason.retryAfter, soon) : soon
          return reject(
            notCalled(provider, operation, `${provider} has been failing and rests for now`, wait),
          )
        }),
      )
    })

  const inFlight = <A, E>(provider: ProviderName, effect: Effect.Effect<A, E>) => {
    const gauge = metrics.providerInFlight({ provider, operation: group })
    return Effect.suspend(() => {
      gauge.modifyUnsafe(1, context)
      return Effect.ensuring(effect, Effect.sync(() => gauge.modifyUnsafe(-1, context)))
    })
  }

  const around: GroupGuard["around"] = (provider, operation) => (call) =>
    Effect.suspend(() =>
      of(provider).bulkhead.within(inFlight(provider, throughCircuit(provider, operation, call, now())))
    ).pipe(
      Effect.flatMap(Option.match({
        onSome: Effect.succeed,
        onNone: () =>
          reject(notCalled(provider, operation, `${provider} has as many calls under way as it may`, soon)),
      })),
    )

  const view: GroupGuard["view"] = (provider) =>
    breaker.state(keyOf(provider)).pipe(
      Effect.orDie,
      Effect.map((state) => ({ ...of(provider).figures.view(), circuit: state })),
    )

  const isFull: GroupGuard["isFull"] = (provider, account) => of(provider).bulkhead.isFull(account)

  return { around, view, isFull } satisfies GroupGuard
})
