import { type Duration, Effect, Exit, Random, Scope } from "effect"
import type { Addressed } from "#test/durability/client.ts"
import {
  type Environment,
  type RunningService,
  type StartFailed,
  startService,
} from "#test/support/process.ts"
import { startRelay } from "#test/support/relay.ts"

/** Replicas of one service behind one front that passes connections on to them in turn. */
export interface Fleet {
  /** The front: what clients know. */
  readonly front: Addressed
  /** Kills one of those at work, drawn by lot, and starts it again; done when it listens. */
  readonly killOne: Effect.Effect<void, StartFailed>
  /** Pauses one of those at work, drawn by lot, and lets it go on after this time, as if none had passed. */
  readonly pauseOne: (time: Duration.Duration) => Effect.Effect<void>
  /** Ends all of them as an operator does: their exit codes. */
  readonly stop: Effect.Effect<ReadonlyArray<number>>
}

/** A place for one replica, which is empty while it starts. */
interface Berth {
  service: RunningService | undefined
  isPaused: boolean
  scope: Scope.Closeable
}

/**
 * Starts so many replicas with the same settings, which have to lead all of them to one database and one sandbox.
 * What still runs when the scope closes is killed.
 */
export const startFleet = Effect.fnUntraced(function* (count: number, settings: Environment) {
  const whole = yield* Effect.scope
  const launch = Effect.fnUntraced(function* (berth: Berth) {
    berth.scope = yield* Scope.fork(whole)
    berth.service = yield* Scope.provide(startService(settings), berth.scope)
    return berth.service
  })
  const berths = yield* Effect.forEach(
    Array.from({ length: count }),
    () => Effect.map(Scope.fork(whole), (scope): Berth => ({ service: undefined, isPaused: false, scope })),
  )
  const [first] = berths
  const [running] = yield* Effect.forEach(berths, launch, { concurrency: "unbounded" })
  if (first === undefined || running === undefined) {
    return yield* Effect.die("A fleet has at least one replica")
  }

  const relay = yield* startRelay(() =>
    berths.flatMap(({ service }) =>
      service === undefined ? [] : [{ hostname: service.url.hostname, port: Number(service.url.port) }]
    )
  )
  /** None that is starting, and none that is paused: that one has to go on, too. */
  const anyAwake = Effect.suspend(() => {
    const awake = berths.filter(({ isPaused, service }) => service !== undefined && !isPaused)
    return Effect.map(
      Random.nextIntBetween(0, awake.length, { halfOpen: true }),
      (index) => awake[index] ?? first,
    )
  })
  const killOne = Effect.gen(function* () {
    const berth = yield* anyAwake
    berth.service = undefined
    yield* Scope.close(berth.scope, Exit.void)
    yield* launch(berth)
    // One that is left half started would be nobody's to stop.
  }).pipe(Effect.uninterruptible)
  const pauseOne = (time: Duration.Duration) =>
    Effect.acquireUseRelease(
      Effect.tap(anyAwake, (berth) => {
        berth.isPaused = true
        return berth.service?.kill("SIGSTOP") ?? Effect.void
      }),
      () => Effect.sleep(time),
      (berth) => {
        berth.isPaused = false
        return berth.service?.kill("SIGCONT") ?? Effect.void
      },
    )
  const stop = Effect.suspend(() =>
    Effect.forEach(
      berths.flatMap(({ service }) => service === undefined ? [] : [service]),
      (service) => Effect.andThen(service.kill("SIGTERM"), Effect.map(service.ended, ({ code }) => code)),
      { concurrency: "unbounded" },
    )
  )
  const fleet: Fleet = {
    front: { url: new URL(`http://127.0.0.1:${relay.port}`), apiKey: running.apiKey },
    killOne,
    pauseOne,
    stop,
  }
  return fleet
})
