import { Cause, Clock, type Context, Duration, Effect, Exit, Fiber, Random, Scope } from "effect"
import { CircuitBreaker } from "effect/persistence"
import type { AccountId } from "#domain/accounts/Account.ts"
import { NotCalled, ProviderError, type ProviderOperation, TimedOut } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { CallRecorder } from "#infrastructure/ops/CallRecorder.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { type Deadlines, makeDeadlines } from "#infrastructure/platform/Deadlines.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { makeBulkhead, OnBehalfOf, type Sharing } from "#infrastructure/platform/Bulkhead.ts"
import { callOutcome, classify, failureClassOf, lastErrorOf, makePauses } from "./classify.ts"
import { type CallOutcome, type Figures, type LastError, makeFigures } from "./figures.ts"
import type { OperationGroup } from "../operations.ts"
import { DecidesCircuits, tellTransition } from "./circuitMetrics.ts"

/**
 * Guards every call of one group of operations. The life of a call, from the outside in:
 *
 * - Bulkhead: a call takes one of the group's places, which accounts share, or waits in the line of its account. One
 *   that gets none in time fails with `NotCalled`. The wait is part of the deadline.
 * - Pause, by provider and operation: a call that the upstream has shut for a while fails with `NotCalled` (`classify.ts`).
 * - Circuit, by provider and group. Closed: the trip policy decides by outcomes (`classify`) when it opens. Open: calls
 *   fail with `NotCalled`. Half-open: one call is the probe, which closes it or opens it for twice as long.
 * - Retries: after a connection fault, only where another attempt can end before the deadline; one outcome for all.
 *   A call that begins a swap is never retried (`retries: 0`).
 * - Attempt timeout: an attempt that takes longer fails with `TimedOut`, and may have reached the upstream.
 *
 * A call admitted before its circuit opened does not change the circuit, nor does one that no client waits for
 * (`DecidesCircuits`). A caller who leaves counts as `cancelled`. An answer slower than `slowCall` counts as a failure.
 * Where replicas share circuits, `view` shows the shared state with this process's own figures.
 */
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

export interface GroupView extends Figures {
  readonly circuit: CircuitBreaker.State
}

export interface GroupOptions {
  readonly attemptTimeout: Duration.Duration
  /** Further attempts after connection faults and 502 to 504. */
  readonly retries: number
  /** The longest time of a whole call: its attempts, and the pauses between them. */
  readonly deadline: Duration.Duration
  /** The most calls in flight. A call without a place waits, as `Sharing` describes. */
  readonly bulkhead: number
  readonly trip: CircuitBreaker.TripPolicy
  /** The duration above which a call counts as a failure; absent: no call is too slow. */
  readonly slowCall?: Duration.Duration
}

/** Attempts that cannot outlast the deadline: with `attempted` (`GroupGuard.ts`) no call needs another timer. */
export const withinDeadline = (knobs: GroupOptions): GroupOptions => ({
  ...knobs,
  attemptTimeout: Duration.min(knobs.attemptTimeout, knobs.deadline),
})

/** The part of its deadline, 1/4, that a call waits for a place at most, so that time is left for the call. */
const partOfDeadline = 4

/** How long a call of a group waits for its place. */
export const waitOf = ({ deadline }: GroupOptions, { wait }: Sharing): Duration.Duration =>
  Duration.min(wait, Duration.millis(Duration.toMillis(deadline) / partOfDeadline))

interface CircuitOptions {
  /** The first open time; each further one is twice as long. */
  readonly openTime: Duration.Duration
  /** The longest open time, before the jitter of ±20 %. */
  readonly openTimeMost: Duration.Duration
  /** The longest time that an upstream's `Retry-After` can keep a circuit open. */
  readonly retryAfterMost: Duration.Duration
}

export interface GuardOptions {
  readonly circuit: CircuitOptions
  /** How accounts share the places of each group; the same for all groups. */
  readonly sharing: Sharing
  readonly groups: Readonly<Record<OperationGroup, GroupOptions>>
}

interface Group {
  readonly name: OperationGroup
  readonly knobs: GroupOptions
  readonly circuit: CircuitOptions
  readonly circuits: CircuitBreaker.CircuitBreakerStore["Service"]
  readonly attemptDeadlines: Deadlines
  readonly context: Context.Context<never>
  readonly now: () => number
  readonly recorder: CallRecorder
  /** The bulkhead and the figures of a provider, created at its first call. */
  readonly of: (provider: ProviderName) => ReturnType<typeof beginProvider>
}

interface GuardedCall {
  readonly provider: ProviderName
  readonly operation: ProviderOperation
}

const beginProvider = (places: number, sharing: Sharing, { retryAfterMost }: CircuitOptions) => ({
  bulkhead: makeBulkhead(places, sharing),
  figures: makeFigures(),
  pauses: makePauses(retryAfterMost),
})

/** The wait that is reported when an open circuit does not tell when it ends. */
const shortestWait = Duration.seconds(1)

/** How far an open time may be from what it would be exactly, as a part of it. */
const jitter = 0.2

/** The longest open time over an API key: one that the operator has set is soon in use, on replicas too. */
const keyOpenTimeMost = Duration.seconds(30)

/** How long a circuit opens, doubled with each opening up to the cap, ±20 %; a wait that the upstream asks for wins. */
const openFor = (
  { openTime, openTimeMost, retryAfterMost }: CircuitOptions,
  openings: number,
  health: CircuitBreaker.Outcome,
  ofKey: boolean,
  random: number,
): Duration.Duration => {
  const most = ofKey ? Duration.min(keyOpenTimeMost, openTimeMost) : openTimeMost
  const millis = Math.min(Duration.toMillis(openTime) * 2 ** openings, Duration.toMillis(most))
  const own = Duration.millis(millis * (1 + jitter * (2 * random - 1)))
  return health._tag === "Failure" && health.retryAfter !== undefined
    ? Duration.max(own, Duration.min(health.retryAfter, retryAfterMost))
    : own
}

const notCalled = (
  call: GuardedCall,
  why: string,
  wait: Duration.Duration,
  { because }: Pick<LastError, "because"> = {},
): ProviderError =>
  new ProviderError({
    ...call,
    reason: new NotCalled({
      detail: why,
      retryAfterSeconds: Duration.toSeconds(wait),
      ...optionalMembers(because, (because) => ({ because })),
    }),
  })

const timedOut = (call: GuardedCall): ProviderError =>
  new ProviderError({
    ...call,
    reason: new TimedOut({ detail: `no answer from ${call.provider} in time`, reached: true }),
  })

/** A plain function, as an effect for each of its four calls took longer than the circuit. */
const count = (
  { context, name, now, of, recorder }: Group,
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
  recorder.call({
    provider,
    operation: name,
    ended: outcome === "failed" ? failureClassOf(exit) : outcome,
    ...(took === undefined ? {} : { tookMillis: Duration.toMillis(took) }),
  }, now())
  metrics.providerCalls({ provider, operation: name, outcome }).updateUnsafe(1, context)
  if (took !== undefined) {
    metrics.providerCallSeconds({ provider, operation: name }).updateUnsafe(Duration.toSeconds(took), context)
  }
}

const reject = (group: Group, error: ProviderError): Effect.Effect<never, ProviderError> =>
  Effect.suspend(() => {
    count(group, error.provider, Exit.fail(error), "rejected", undefined)
    return Effect.fail(error)
  })

/** Of a pause before another attempt, in milliseconds. */
const shortestPause = 50
const longestPause = 1_000

/** Whether the same call may succeed in a moment: the connection was cut, or a proxy had no server behind it. */
const isPassing = ({ reason }: ProviderError): boolean => reason._tag === "Unreachable"

/** The pause before another attempt, with full jitter to spread callers; a wait that the upstream asks for wins. */
const pauseBefore = ({ reason }: ProviderError): Effect.Effect<Duration.Duration> =>
  reason._tag === "Unreachable" && reason.retryAfterSeconds !== undefined
    ? Effect.succeed(Duration.seconds(reason.retryAfterSeconds))
    : Effect.map(Random.nextIntBetween(shortestPause, longestPause), Duration.millis)

/** Makes attempts in a fiber of their own. A passing fault is retried if the next attempt can end in time. */
const attempted = <A>(
  { attemptDeadlines, knobs, now }: Group,
  guarded: GuardedCall,
  call: Effect.Effect<A, ProviderError>,
  context: Context.Context<never>,
  waitedMillis: number,
): Effect.Effect<A, ProviderError> =>
  Effect.callback((resume) => {
    const asked = now() - waitedMillis
    const left = Duration.subtract(knobs.deadline, Duration.millis(waitedMillis))
    const late = () => Effect.fail(timedOut(guarded))
    let hasPassed = false
    let callOff = () => {}
    const attempt = Effect.suspend(() => {
      callOff = attemptDeadlines.begin(() => {
        hasPassed = true
        fiber.interruptUnsafe()
      })
      return waitedMillis === 0 ? call : Effect.timeoutOrElse(call, { duration: left, orElse: late })
    })
    const another = (error: ProviderError, retries: number) =>
      Effect.flatMap(pauseBefore(error), (pause) => {
        const end = now() - asked + Duration.toMillis(pause) + Duration.toMillis(knobs.attemptTimeout)
        return end > Duration.toMillis(knobs.deadline)
          ? Effect.fail(error)
          : Effect.delay(attempts(retries), pause)
      })
    const attempts = (retries: number): Effect.Effect<A, ProviderError> =>
      retries === 0 ? attempt : Effect.catch(attempt, (error) => {
        callOff()
        return isPassing(error) ? another(error, retries - 1) : Effect.fail(error)
      })
    const fiber = Effect.runForkWith(context)(attempts(knobs.retries))
    fiber.addObserver((exit) => {
      callOff()
      resume(hasPassed && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? late() : exit)
    })
    return Fiber.interrupt(fiber)
  })

/** Makes a call that its circuit admits. It is judged once, so that the circuit gets the same outcome as the figures. */
const throughCircuit = <A>(
  group: Group,
  guarded: GuardedCall,
  call: Effect.Effect<Exit.Exit<A, ProviderError>>,
  fiber: Fiber.Fiber<unknown, unknown>,
): Effect.Effect<A, ProviderError, Scope.Scope> => {
  const { circuit, circuits, knobs, name, now, recorder } = group
  const { operation, provider } = guarded
  const key = circuitKey(provider, name)
  const telling = <B>(
    transition: CircuitBreaker.Transition | undefined,
    next: Effect.Effect<B, ProviderError>,
  ) =>
    transition === undefined ? next : Effect.andThen(tellTransition(name, transition, recorder, now()), next)

  const made = (admission: CircuitBreaker.Admission | undefined) => {
    const started = now()
    return Effect.flatMap(call, (exit) => {
      const took = Duration.millis(now() - started)
      const health = classify(exit, took, knobs.slowCall)
      count(group, provider, exit, callOutcome(exit, health), health._tag === "Ignored" ? undefined : took)
      group.of(provider).pauses.note(operation, exit, now())
      if (admission === undefined) return exit
      const { consecutiveOpenings, generation } = admission
      const outcome = fiber.getRef(DecidesCircuits) ? health : CircuitBreaker.ignored
      const random = fiber.getRef(Random.Random).nextDoubleUnsafe()
      return Effect.matchEffect(
        circuits.record({
          key,
          generation,
          outcome: outcome._tag,
          tripPolicy: knobs.trip,
          openFor: openFor(
            circuit,
            consecutiveOpenings,
            outcome,
            outcome._tag === "Failure" && group.of(provider).figures.lastError()?.because === "key",
            random,
          ),
        }),
        {
          onSuccess: (transition) => telling(transition, exit),
          onFailure: (error) =>
            Effect.andThen(Effect.logDebug("A call is not recorded in its circuit breaker", error), exit),
        },
      )
    })
  }

  return Effect.matchEffect(circuits.admit(key), {
    onSuccess: (admission) => telling(admission.transition, made(admission)),
    onFailure: (error) => {
      const { reason } = error
      if (reason._tag === "CircuitBreakerStoreError") {
        return Effect.andThen(Effect.logDebug("A call bypasses its circuit breaker", error), made(undefined))
      }
      const wait = reason._tag === "CircuitOpen"
        ? Duration.max(reason.retryAfter, shortestWait)
        : shortestWait
      const last = group.of(provider).figures.lastError()
      const why = last?.because === "key"
        ? `Calls are paused: ${last.detail}`
        : "Calls are paused after repeated errors"
      return reject(group, notCalled(guarded, why, wait, last))
    },
  })
}

const circuitKey = (provider: ProviderName, group: OperationGroup): string => `${provider}/${group}`

/** The guard of one group of operations, with one circuit, one bulkhead and one set of figures for each provider. */
export const makeGroupGuard = Effect.fnUntraced(function* (
  name: OperationGroup,
  knobs: GroupOptions,
  circuit: CircuitOptions,
  sharing: Sharing,
) {
  const clock = yield* Clock.Clock
  const providers = new Map<ProviderName, ReturnType<typeof beginProvider>>()
  const group: Group = {
    name,
    knobs,
    circuit,
    circuits: yield* CircuitBreaker.CircuitBreakerStore,
    attemptDeadlines: yield* makeDeadlines(knobs.attemptTimeout),
    context: yield* Effect.context<never>(),
    now: () => clock.currentTimeMillisUnsafe(),
    recorder: yield* CallRecorder,
    of: (provider) => {
      const known = providers.get(provider) ?? beginProvider(knobs.bulkhead, sharing, circuit)
      providers.set(provider, known)
      return known
    },
  }

  const around: GroupGuard["around"] = (provider, operation) => {
    const guarded = { provider, operation }
    const gauge = metrics.providerInFlight({ provider, operation: name })
    const refused = (why: string, wait: Duration.Duration) =>
      reject(group, notCalled(guarded, `${provider} ${why}`, wait))
    return (call) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.withFiber((fiber) => {
          const { bulkhead, pauses } = group.of(provider)
          const asked = group.now()
          const left = pauses.leftOf(operation, asked)
          if (left !== undefined) return refused("answers no such calls for now", left)
          const account = fiber.getRef(OnBehalfOf)

          const placed = (waitedMillis: number) => {
            const scope = Scope.makeUnsafe()
            gauge.modifyUnsafe(1, group.context)
            const made = Effect.exit(restore(attempted(group, guarded, call, fiber.context, waitedMillis)))
            return Effect.onExit(
              Scope.provide(throughCircuit(group, guarded, made, fiber), scope),
              (exit) => {
                gauge.modifyUnsafe(-1, group.context)
                bulkhead.release(account)
                return Scope.closeUnsafe(scope, exit) ?? Effect.void
              },
            )
          }
          if (bulkhead.take(account)) return placed(0)
          return Effect.flatMap(
            bulkhead.turn(account),
            (hasPlace) =>
              hasPlace
                ? placed(group.now() - asked)
                : refused("has as many calls under way as it may", shortestWait),
          )
        })
      )
  }

  return {
    around,
    view: (provider) =>
      group.circuits.state(circuitKey(provider, name)).pipe(
        Effect.orDie,
        Effect.map((state) => ({ ...group.of(provider).figures.view(), circuit: state })),
      ),
    isFull: (provider, account) => group.of(provider).bulkhead.isFull(account),
  } satisfies GroupGuard
})
