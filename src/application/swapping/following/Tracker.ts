import { Duration, Effect, FiberSet, Latch, Layer, Option, type Scope } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { forkWhenReady } from "#infrastructure/platform/whenReady.ts"
import { Registry } from "#providers/Registry.ts"
import type { DueLookup } from "#infrastructure/store/swaps/lookupRows.ts"
import { Lookups } from "./Lookups.ts"
import { surviving } from "#infrastructure/platform/outages.ts"

export interface TrackerOptions {
  /** The most swaps of one provider that are looked up at the same time. */
  readonly concurrency: number
  /** The pause when nothing is due. */
  readonly pollInterval: Duration.Duration
}

const restAfterFailure = Duration.seconds(2)

/** The number of look-ups that have to end before more are claimed, all with one statement. */
const enoughRoom = (concurrency: number): number => Math.ceil(concurrency / 2)

/** Runs a part of the work, and rests after a failure. */
const resting = (job: string) => <E>(work: Effect.Effect<void, E>) =>
  Effect.flatMap(
    surviving(job)(work),
    (made) => Option.isNone(made) ? Effect.sleep(restAfterFailure) : Effect.void,
  )

/** Follows open swaps by due look-ups in the database, with a lane of its own for each provider. */
export class Tracker extends service<Tracker>()(
  "swap-broker/swapping/Tracker",
  (options: TrackerOptions) =>
    Effect.gen(function* () {
      const lookups = yield* Lookups
      const registry = yield* Registry
      /** Makes the look-ups that are due at present, as many of each provider as run at once; returns how many. */
      const lookUpDue = Effect.gen(function* () {
        const providers = yield* registry.enabled
        const claims = yield* Effect.forEach(
          providers,
          ({ name }) => lookups.claimDue(name, options.concurrency),
        )
        const due = claims.flat()
        yield* Effect.forEach(due, lookups.run, { concurrency: "unbounded", discard: true })
        return due.length
      })
      return { lookUpDue }
    }),
) {
  /** The tracker with its background work, until the scope closes: a lane for each of `providers`. */
  static readonly layerRunning = (
    providers: ReadonlyArray<ProviderName>,
    options: TrackerOptions,
  ): Layer.Layer<never, never, Lookups> =>
    Layer.effectDiscard(Effect.flatMap(Lookups, (lookups) =>
      Effect.forEach(
        providers,
        (provider) => Effect.flatMap(makeLane(provider, lookups, options), forkWhenReady),
        { discard: true },
      )))
}

/** Follows the swaps of one provider without end, never more of them at once than the options say. */
const makeLane = (
  provider: ProviderName,
  lookups: Lookups["Service"],
  { concurrency, pollInterval }: TrackerOptions,
): Effect.Effect<Effect.Effect<never>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<void>()
    const hasRoom = yield* Latch.make(true)
    let underWay = 0

    const end = Effect.sync(() => {
      underWay -= 1
      if (concurrency - underWay >= enoughRoom(concurrency)) hasRoom.openUnsafe()
    })
    const start = (lookup: DueLookup) =>
      FiberSet.run(
        fibers,
        lookups.run(lookup).pipe(
          resting(`The state of swaps of ${provider} is not recorded`),
          Effect.ensuring(end),
        ),
      )

    return Effect.gen(function* () {
      yield* hasRoom.await
      const room = concurrency - underWay
      const due = yield* lookups.claimDue(provider, room)
      underWay += due.length
      if (concurrency - underWay < enoughRoom(concurrency)) hasRoom.closeUnsafe()
      yield* Effect.forEach(due, start, { discard: true })
      if (due.length < room) yield* Effect.sleep(pollInterval)
    }).pipe(resting(`Swaps of ${provider} are not followed`), Effect.forever)
  })
