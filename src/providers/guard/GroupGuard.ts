import { Clock, type Context, Duration, Effect, Exit, Option, Random, Schedule } from "effect"
import { CircuitBreaker } from "effect/persistence"
import type { AccountId } from "#domain/accounts/Account.ts"
import { NotCalled, ProviderError, type ProviderOperation, TimedOut } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { CallRecorder } from "#infrastructure/ops/CallRecorder.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { type Deadlines, endedBy, makeDeadlines } from "#infrastructure/platform/Deadlines.ts"
import { makeBulkhead, type Sharing } from "#infrastructure/platform/Bulkhead.ts"
import { callOutcome, classify, failureClassOf, lastErrorOf } from "./classify.ts"
import { type CallOutcome, type Figures, makeFigures } from "./figures.ts"
import type { OperationGroup } from "../operations.ts"
import type { CircuitOptions, GroupOptions } from "./guardOptions.ts"
import { withRetries } from "./retry.ts"
import { DecidesCircuits, tellTransitions } from "./circuitMetrics.ts"
import { makePauses } from "./pauses.ts"

/**
 * Guards every call of one group of operations.
 *
 * The life of a call, from the outside in:
 *
 * - Bulkhead: a call takes one of the group's places, which accounts share. If none is free it waits in the line of its
 *   account; a call that gets none in time fails with `NotCalled`. The wait is part of the call's deadline.
 * - Rest, one for each provider and operation: what the upstream has shut for a while is not called before
 *   (`pauses.ts`), and fails with `NotCalled`. Other operations of the group go on.
 * - Circuit, one for each provider and group. Closed: calls run, and the trip policy decides by their outcomes when it
 *   opens. Open: calls fail with `NotCalled` until the open time ends. Half-open: one call is the probe, and others
 *   fail with `NotCalled` while it runs; the circuit closes if the probe succeeds, and opens for twice as long if it
 *   fails. `classify` judges the outcome of a call; the same judgement is counted and reported to the circuit.
 * - Retries: a call whose connection failed is made again, but only where another attempt can end before the deadline.
 *   The circuit sees one outcome for all attempts. A call that begins a swap is never retried (`retries: 0`).
 * - Attempt timeout: an attempt that takes longer fails with `TimedOut`, and may have reached the upstream.
 *
 * Gotchas:
 *
 * - A call that was admitted before its circuit opened runs to its end, and does not change the circuit.
 * - A caller who leaves interrupts the call. That counts as `cancelled` and says nothing of the upstream, so an
 *   upstream that hangs is noticed only if callers wait longer than the attempt timeout.
 * - An answer slower than `slowCall` is handed out, but counts as a failure.
 * - A call that no client waits for (`DecidesCircuits`) is counted, and does not change the circuit either.
 * - Where circuits are shared between replicas, `view` shows the shared state with this process's own figures.
 *
 * Example: quotes that fail open the circuit of their group, while openings go on.
 *
 * ```ts
 * const quote = yield* makeGroupGuard("quote", knobs.groups.quote, knobs.circuit, knobs.sharing)
 * const open = yield* makeGroupGuard("open", knobs.groups.open, knobs.circuit, knobs.sharing)
 * yield* quote.around(name, "quote")(Effect.fail(unreachable)).pipe(Effect.flip, Effect.repeat({ times: 20 }))
 * yield* quote.around(name, "quote")(provider.quotes(request)) // fails with NotCalled, without a call
 * yield* open.around(name, "open")(provider.open(request)) // calls the upstream
 * ```
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

/** The state of one group of operations of one provider. */
export interface GroupView extends Figures {
  readonly circuit: CircuitBreaker.State
}

/** The parts that all calls of the group share. */
interface Group {
  readonly name: OperationGroup
  readonly knobs: GroupOptions
  readonly breaker: CircuitBreaker.CircuitBreaker
  readonly attemptDeadlines: Deadlines
  readonly context: Context.Context<never>
  readonly now: () => number
  readonly recorder: CallRecorder
  /** The bulkhead and the figures of a provider, created at its first call. */
  readonly of: (provider: ProviderName) => ReturnType<typeof beginProvider>
}

/** The provider and operation of a call. */
interface GuardedCall {
  readonly provider: ProviderName
  readonly operation: ProviderOperation
}

const beginProvider = (places: number, sharing: Sharing, { retryAfterMost }: CircuitOptions) => ({
  bulkhead: makeBulkhead(places, sharing),
  figures: makeFigures(),
  rests: makePauses(retryAfterMost),
})

/** The wait that is reported when an open circuit does not tell when it ends. */
const shortestWait = Duration.seconds(1)

/** How far an open time may be from what it would be exactly, as a part of it. */
const jitter = 0.2

/**
 * Open times, which double from the first one up to the cap, each ±20 %. The breaker goes through them from the
 * beginning after every call, so they are one step and not three schedules around each other.
 */
const openTimes = ({ openTime, openTimeMost }: CircuitOptions) => {
  const [first, most] = [Duration.toMillis(openTime), Duration.toMillis(openTimeMost)]
  return Schedule.fromStep(Effect.sync(() => {
    let openings = 0
    return () => {
      const millis = Math.min(first * 2 ** openings, most)
      openings += 1
      return Effect.map(Random.nextBetween(1 - jitter, 1 + jitter), (factor): [number, Duration.Duration] => [
        openings,
        Duration.millis(millis * factor),
      ])
    }
  }))
}

const notCalled = (call: GuardedCall, why: string, wait: Duration.Duration): ProviderError =>
  new ProviderError({
    ...call,
    reason: new NotCalled({ detail: why, retryAfterSeconds: Duration.toSeconds(wait) }),
  })

const timedOut = (call: GuardedCall): ProviderError =>
  new ProviderError({
    ...call,
    reason: new TimedOut({ detail: `no answer from ${call.provider} in time`, reached: true }),
  })

/**
 * Counts a call that has ended. This is a plain function: a call is counted in four places, and an effect for each took
 * longer than the circuit.
 */
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
    metrics.providerCallSeconds({ provider, operation: name })
      .updateUnsafe(Duration.toSeconds(took), context)
  }
}

/** Fails a call that was not admitted, and counts it. */
const reject = (group: Group, error: ProviderError): Effect.Effect<never, ProviderError> =>
  Effect.suspend(() => {
    count(group, error.provider, Exit.fail(error), "rejected", undefined)
    return Effect.fail(error)
  })

/** Bounds and retries the call; its wait for a place is part of its deadline. */
const attempted = <A>(
  { attemptDeadlines, knobs }: Group,
  guarded: GuardedCall,
  call: Effect.Effect<A, ProviderError>,
  waitedMillis: number,
): Effect.Effect<A, ProviderError> => {
  const inTime = endedBy(attemptDeadlines, call, () => timedOut(guarded))
  if (waitedMillis === 0) return withRetries(inTime, knobs)
  const deadline = Duration.subtract(knobs.deadline, Duration.millis(waitedMillis))
  const orElse = () => Effect.fail(timedOut(guarded))
  return withRetries(Effect.timeoutOrElse(inTime, { duration: deadline, orElse }), { ...knobs, deadline })
}

/** The judgement of a call that has ended. */
interface Judged {
  readonly took: Duration.Duration
  readonly health: CircuitBreaker.Outcome
}

/** Counts the call and reports its outcome to the circuit. `asked` is the time at which the call was asked for. */
const throughCircuit = <A>(
  group: Group,
  guarded: GuardedCall,
  call: Effect.Effect<A, ProviderError>,
  asked: number,
): Effect.Effect<A, ProviderError> =>
  Effect.flatMap(DecidesCircuits, (decides) => {
    const { breaker, knobs, name, now } = group
    const { provider } = guarded
    const started = now()
    let judged: Judged | undefined
    // Judged only once, so that the circuit gets the same outcome as the figures.
    const judge = (exit: Exit.Exit<A, ProviderError>): Judged => {
      if (judged !== undefined) return judged
      const took = Duration.millis(now() - started)
      return judged = { took, health: classify(exit, took, knobs.slowCall) }
    }
    return attempted(group, guarded, call, started - asked).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() => {
          const { took, health } = judge(exit)
          const counted = health._tag === "Ignored" ? undefined : took
          count(group, provider, exit, callOutcome(exit, health), counted)
          group.of(provider).rests.note(guarded.operation, exit, now())
        })
      ),
      breaker.execute({
        key: circuitKey(provider, name),
        classify: (exit) => decides ? judge(exit).health : CircuitBreaker.ignored,
      }),
      Effect.catchTag("CircuitBreakerError", ({ reason }) => {
        const wait = reason._tag === "CircuitOpen"
          ? Duration.max(reason.retryAfter, shortestWait)
          : shortestWait
        return reject(group, notCalled(guarded, `${provider} has been failing and rests for now`, wait))
      }),
    )
  })

/** Counts the call among those under way while it runs. */
const inFlight = <A, E>({ context, name }: Group, provider: ProviderName, effect: Effect.Effect<A, E>) => {
  const gauge = metrics.providerInFlight({ provider, operation: name })
  return Effect.suspend(() => {
    gauge.modifyUnsafe(1, context)
    return Effect.ensuring(effect, Effect.sync(() => gauge.modifyUnsafe(-1, context)))
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
  const breaker = yield* CircuitBreaker.make({
    tripPolicy: knobs.trip,
    openDuration: openTimes(circuit),
    maxOpenDuration: circuit.retryAfterMost,
  })
  const clock = yield* Clock.Clock
  const providers = new Map<ProviderName, ReturnType<typeof beginProvider>>()
  const group: Group = {
    name,
    knobs,
    breaker,
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
  yield* tellTransitions(group)

  const around: GroupGuard["around"] = (provider, operation) => (call) => {
    const guarded = { provider, operation }
    const shut = `${provider} answers no such calls for now`
    return Effect.suspend(() => {
      const { bulkhead, rests } = group.of(provider)
      const left = rests.leftOf(operation, group.now())
      if (left !== undefined) return reject(group, notCalled(guarded, shut, left))
      return bulkhead.within(
        inFlight(group, provider, throughCircuit(group, guarded, call, group.now())),
      )
    }).pipe(
      Effect.flatMap(Option.match({
        onSome: Effect.succeed,
        onNone: () =>
          reject(
            group,
            notCalled(guarded, `${provider} has as many calls under way as it may`, shortestWait),
          ),
      })),
    )
  }

  return {
    around,
    view: (provider) =>
      breaker.state(circuitKey(provider, name)).pipe(
        Effect.orDie,
        Effect.map((state) => ({ ...group.of(provider).figures.view(), circuit: state })),
      ),
    isFull: (provider, account) => group.of(provider).bulkhead.isFull(account),
  } satisfies GroupGuard
})
