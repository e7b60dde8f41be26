import {
  Cause,
  Deferred,
  Duration,
  Effect,
  Fiber,
  Metric,
  Option,
  Predicate,
  References,
  type Scope,
} from "effect"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import type { CircuitSharing } from "#infrastructure/platform/CircuitScope.ts"

export interface Connection<Store> {
  readonly store: Store
  /** Completes with the reason once the connection is lost. */
  readonly lost: Effect.Effect<string>
}

export interface SharedStoreOptions<Store> {
  /** The name of the shared store in the log, and for the operator. */
  readonly name: string
  /** Connects, in bounded time. The connection lasts until the scope closes. */
  readonly connect: Effect.Effect<Connection<Store>, Error, Scope.Scope>
  /** The longest that a question waits for its answer. */
  readonly patience: Duration.Duration
  /** The time before another attempt to connect. */
  readonly rest: Duration.Duration
}

/** State that several replicas share, while the store can be used. */
export interface SharedStore<Store> {
  /** The store's answer; none where it cannot be reached. A failed call counts as unanswered. */
  readonly ask: <A, E, R>(
    question: (store: Store) => Effect.Effect<A, E, R>,
  ) => Effect.Effect<Option.Option<A>, never, R>
  /** Whether the store is in use at present, or why not. */
  readonly sharing: Effect.Effect<CircuitSharing>
}

interface InUse<Store> {
  readonly store: Store
  /** Done once a question over this connection went unanswered. */
  readonly failed: Deferred.Deferred<void>
  /** Whether an answer is late, so that nobody else waits for one until it has come. */
  isLate: boolean
}

/** The innermost message of an error, which is the first cause. */
const whyOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (Predicate.hasProperty(error, "reason")) return whyOf(error.reason)
  return error.cause instanceof Error ? whyOf(error.cause) : error.message || error.name
}

/** How many times as long as a caller waits for an answer before the store counts as away: late is not away. */
const longestLate = 8

/** A shared store that is not called while it is slow or away, until a late answer or new connection. */
export const sharedStore = Effect.fnUntraced(function* <Store>(
  { name, connect, patience, rest }: SharedStoreOptions<Store>,
) {
  let inUse: InUse<Store> | undefined
  let why = "there is no connection yet"
  const tooLate = `no answer within ${Duration.format(patience)}`

  /** A late failure of an earlier connection says nothing about the one in use. */
  const giveUp = (connection: InUse<Store>, reason: string) =>
    Effect.sync(() => {
      if (inUse !== connection) return
      inUse = undefined
      why = reason
      Deferred.doneUnsafe(connection.failed, Effect.void)
    })

  const background = yield* Effect.scope

  /** The rest of the wait for a late answer, for which nobody is held up. */
  const awaitLate = <A, E>(connection: InUse<Store>, asked: Fiber.Fiber<A, E>) =>
    Fiber.join(asked).pipe(
      Effect.timeoutOption(Duration.times(patience, longestLate - 1)),
      Effect.matchCauseEffect({
        onFailure: (cause) => giveUp(connection, whyOf(Cause.squash(cause))),
        onSuccess: Option.match({
          onNone: () => Effect.andThen(giveUp(connection, tooLate), Fiber.interrupt(asked)),
          onSome: () =>
            Effect.sync(() => {
              connection.isLate = false
            }),
        }),
      }),
    )

  const waitFor = <A, E>(connection: InUse<Store>, asked: Fiber.Fiber<A, E>) =>
    Fiber.join(asked).pipe(
      Effect.timeoutOption(patience),
      Effect.onInterrupt(() => Fiber.interrupt(asked)),
      Effect.tap((answer) => {
        if (Option.isSome(answer)) return Effect.void
        connection.isLate = true
        return Effect.forkIn(awaitLate(connection, asked), background)
      }),
    )

  const ask: SharedStore<Store>["ask"] = (question) =>
    Effect.suspend(() => {
      const connection = inUse
      if (connection === undefined || connection.isLate) return Effect.succeedNone
      const answer = question(connection.store)
      return Effect.flatMap(Effect.forkIn(answer, background), (asked) => waitFor(connection, asked)).pipe(
        Effect.catchCause((cause) =>
          Effect.as(giveUp(connection, whyOf(Cause.squash(cause))), Option.none())
        ),
        // The store's own log of later failures is turned off; that the store is away is logged once.
        Effect.provideService(References.UnhandledLogLevel, undefined),
      )
    })

  const trouble = () => `${name} cannot be used: ${inUse?.isLate === true ? tooLate : why}`
  let told: CircuitSharing["scope"] | undefined
  const tried = yield* Deferred.make<void>()

  /** Logs each change between shared and own state once. */
  const tell = Effect.fnUntraced(function* (scope: CircuitSharing["scope"]) {
    if (told === scope) return
    told = scope
    yield* scope === "shared"
      ? Effect.logInfo(`Circuits, rate limits and explanations of quotes are shared through ${name}`)
      : Effect.logWarning(
        `${trouble()}. Until it can, circuits, rate limits and explanations of quotes are this process's own`,
      )
    yield* Metric.update(metrics.circuitsShared, scope === "shared" ? 1 : 0)
    yield* Deferred.succeed(tried, undefined)
  })

  /** Shares state for as long as one connection is good. */
  const share = Effect.gen(function* () {
    // The connecting must not be interrupted: a client that is interrupted then may never end.
    const connection = yield* Effect.uninterruptible(connect)
    const own = { store: connection.store, failed: yield* Deferred.make<void>(), isLate: false }
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
  // The first callers find the state shared already, where it can be.
  yield* Deferred.await(tried)

  const shared: SharedStore<Store> = {
    ask,
    sharing: Effect.sync(() =>
      inUse === undefined || inUse.isLate ? { scope: "process", reason: trouble() } : { scope: "shared" }
    ),
  }
  return shared
})
