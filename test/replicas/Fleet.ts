import { Effect, Exit, Random, Scope } from "effect"
import type { Addressed } from "../durability/client.ts"
import { type Environment, type RunningService, type StartFailed, startService } from "../support/process.ts"
import { startRelay } from "../support/relay.ts"

/** Replicas of one service behind one front that passes connections on to them in turn. */
export interface Fleet {
  /** The front: what clients know. */
  readonly front: Addressed
  /** Kills one of them, drawn by lot, and starts it again; done when it listens. */
  readonly killOne: Effect.Effect<void, StartFailed>
  /** Ends all of them as an operator does: their exit codes. */
  readonly stop: Effect.Effect<ReadonlyArray<number>>
}

/** A place for one replica, which is empty while it starts. */
interface Berth {
  service: RunningService | undefined
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
    () => Effect.map(Scope.fork(whole), (scope): Berth => ({ service: undefined, scope })),
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
  const killOne = Effect.gen(function* () {
    const berth = berths[yield* Random.nextIntBetween(0, count, { halfOpen: true })] ?? first
    berth.service = undefined
    yield* Scope.close(berth.scope, Exit.void)
    yield* launch(berth)
    // One that is left half started would be nobody's to stop.
  }).pipe(Effect.uninterruptible)
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
    stop,
  }
  return fleet
})
