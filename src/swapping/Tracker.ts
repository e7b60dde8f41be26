import { Context, Duration, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { Lookups } from "./Lookups.ts"

/** How the tracker works. */
export interface TrackerOptions {
  /** How many swaps are looked up at the same time. */
  readonly concurrency: number
  /** How long it rests when nothing is due. */
  readonly pollInterval: Duration.Duration
}

/** How long it rests when the database fails. */
const restAfterFailure = Duration.seconds(2)

/**
 * Follows open swaps to their end. What is due stands in the database alone, so a restart loses nothing and
 * several replicas share the work.
 */
export class Tracker extends Context.Service<Tracker, {
  /** Looks up what is due at present, and says how many swaps that were. */
  readonly lookUpDue: Effect.Effect<number, StoreUnavailable>
}>()("swap-broker/swapping/Tracker") {
  /** The tracker at rest. */
  static readonly layer = (options: TrackerOptions): Layer.Layer<Tracker, never, Lookups> =>
    Layer.effect(
      Tracker,
      Effect.gen(function* () {
        const lookups = yield* Lookups
        const lookUpDue = Effect.gen(function* () {
          const due = yield* lookups.claimDue(options.concurrency)
          yield* Effect.forEach(due, lookups.run, { concurrency: "unbounded", discard: true })
          return due.length
        })
        return Tracker.of({ lookUpDue })
      }),
    )

  /** The tracker at work in the background until the scope closes. */
  static readonly layerRunning = (options: TrackerOptions): Layer.Layer<Tracker, never, Lookups> =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const tracker = yield* Tracker
        const round = Effect.gen(function* () {
          const count = yield* tracker.lookUpDue
          if (count < options.concurrency) yield* Effect.sleep(options.pollInterval)
        })
        yield* round.pipe(
          Effect.catch((error) =>
            Effect.andThen(Effect.logError("Swaps are not followed", error), Effect.sleep(restAfterFailure))
          ),
          Effect.forever,
          Effect.forkScoped,
        )
      }),
    ).pipe(Layer.provideMerge(Tracker.layer(options)))
}
