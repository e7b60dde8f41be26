import { Duration, Effect, FiberSet, Layer, Metric } from "effect"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { type Listing, OpeningTrace, type Provider } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import {
  type LostChannel,
  LostOpeningsRepo,
  type PendingOpening,
} from "#infrastructure/store/swaps/LostOpeningsRepo.ts"
import { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { Lookups } from "../following/Lookups.ts"
import { lookedForMillis, presentlyLost, traceAll, unrecorded } from "./lostOpenings.ts"
import { type EntryOptions, openingRecord } from "./OpeningRecord.ts"
import { openedBy } from "./Openings.ts"
import { surviving } from "#infrastructure/platform/outages.ts"

/** When channels are looked for that no record has. */
export interface ReconcileOptions extends EntryOptions {
  readonly sweepInterval: Duration.Duration
  /** Whether no other process can be working on the same records. */
  readonly soleProcess: boolean
}

/** The longest between two looks whether a sweep is due, and until the first one after a start. */
const mostPause = Duration.minutes(1)

/** The longest that a sweep of one provider takes. */
const longest = Duration.minutes(5)

/** How long a sweep is one replica's without a renewal: as long as another waits after a replica was killed. */
const lease = Duration.seconds(30)

/** How often a replica renews the lease of its sweep. */
const renewal = Duration.seconds(10)

/** How long after an opening was asked for upstreams can tell for certain what came of it (chainflip/wire.md 2.9). */
export const settledAfter = Duration.minutes(16)

export const after = (time: EpochMillis, duration: Duration.Duration): EpochMillis =>
  EpochMillis.make(Math.max(0, time + Duration.toMillis(duration)))

const isUnknown = ({ leaseUntil }: PendingOpening): boolean => leaseUntil === null

/** Writes what became of openings. */
export const makeSettle = Effect.fnUntraced(function* (options: EntryOptions) {
  const repo = yield* LostOpeningsRepo
  const openings = yield* OpeningsRepo
  const background = yield* FiberSet.make<void>()
  const tools = {
    repo: openings,
    inBackground: (work: Effect.Effect<void>) => Effect.asVoid(FiberSet.run(background, work)),
    options,
  }
  /** Whether anything was written. */
  return ({ id, platform, request, requestedAt }: PendingOpening, trace: OpeningTrace) =>
    OpeningTrace.$match(trace, {
      Found: ({ opened }) =>
        openingRecord({ id, leaseUntil: requestedAt, write: undefined, outlook: {} }, tools)
          .opened(platform, openedBy(request, opened)).pipe(
            Effect.as(true),
            // The log says why; the channel stays one that no record has.
            Effect.catch(() => Effect.succeed(false)),
          ),
      NothingOpened: () =>
        Effect.tap(
          repo.absent(id),
          (isWritten) =>
            isWritten
              ? Effect.annotateLogs(Effect.logInfo("An opening with unknown outcome had opened nothing"), {
                swap: id,
                platform,
              })
              : Effect.void,
        ),
      NotKnown: () => Effect.succeed(false),
    })
})

type Sweep = (provider: Provider, listing: Listing) => StoreEffect<ReadonlyArray<LostChannel>, ProviderError>

/** Settles the openings at a provider whose outcome is unknown; returns the channels that then no record has. */
const makeSweep = Effect.fnUntraced(function* (options: ReconcileOptions) {
  const repo = yield* LostOpeningsRepo
  const { confirmFound } = yield* Lookups
  const settle = yield* makeSettle(options)

  const pendingAt = ({ name }: Provider) =>
    Effect.flatMap(currentMillis, (now) => repo.pending(name, after(now, Duration.millis(-lookedForMillis))))

  /** Each channel that is given to an opening can make what became of another certain. */
  const attribute = Effect.fnUntraced(function* (provider: Provider, listing: Listing) {
    let pending = yield* pendingAt(provider)
    for (let settled = true; settled && pending.some(isUnknown);) {
      const traced = yield* traceAll(
        provider,
        pending,
        (yield* unrecorded(repo, provider, listing)).listing,
        isUnknown,
        confirmFound,
      )
      const decided = new Set<PendingOpening>()
      for (const { opening, trace } of traced) {
        if (yield* settle(opening, trace)) decided.add(opening)
      }
      settled = decided.size > 0
      pending = pending.filter((opening) => !decided.has(opening))
    }
  })

  const sweep: Sweep = Effect.fnUntraced(function* (provider, listing) {
    yield* attribute(provider, listing)
    const { lost } = yield* unrecorded(repo, provider, listing)
    if (lost.length === 0) return lost
    // Openings that were under way when the channels were listed may be recorded yet.
    const ends = (yield* pendingAt(provider)).flatMap(({ leaseUntil }) => leaseUntil ?? [])
    const wait = Math.max(0, ...ends) - (yield* currentMillis)
    if (wait > 0) yield* Effect.sleep(Duration.millis(wait))
    return (yield* unrecorded(repo, provider, { ...listing, channels: lost })).lost
  })
  return sweep
})

/** Tells the operator of the channels that were not found before. */
const tell = ({ name }: Provider, lost: ReadonlyArray<LostChannel>, known: ReadonlyArray<LostChannel>) => {
  const before = new Set(known.map(({ depositAddress }) => depositAddress))
  return Effect.forEach(
    lost.filter(({ depositAddress }) => !before.has(depositAddress)),
    ({ asset, depositAddress }) =>
      Effect.logError("A deposit channel is open that no record has").pipe(
        Effect.annotateLogs({ platform: name, asset, depositAddress }),
      ),
    { discard: true },
  )
}

/** Makes the look at all providers that list their channels; it sweeps where that is due. */
export const makeReconcileRound = Effect.fnUntraced(function* (options: ReconcileOptions) {
  const repo = yield* LostOpeningsRepo
  const registry = yield* Registry
  const sweep = yield* makeSweep(options)
  const startedAt = yield* currentMillis

  /** Since when a sweep has to have been made, for none to be due. */
  const dueSince = Effect.fnUntraced(function* ({ name }: Provider, now: EpochMillis) {
    const pending = yield* repo.pending(name, after(now, Duration.millis(-lookedForMillis)))
    const settled = pending.filter(isUnknown).map(({ requestedAt }) => after(requestedAt, settledAfter))
      .filter((time) => time <= now)
    return EpochMillis.make(
      Math.max(startedAt, after(now, Duration.negate(options.sweepInterval)), ...settled),
    )
  })

  // A sole process needs no lease: nobody else goes on with the sweep that it was killed in.
  const leaseAt = (now: EpochMillis) => options.soleProcess ? now : after(now, lease)

  const renewing = ({ name }: Provider) =>
    Effect.flatMap(currentMillis, (now) => repo.renew(name, leaseAt(now))).pipe(
      Effect.delay(renewal),
      Effect.forever,
    )

  const sweepIfDue = Effect.fnUntraced(
    function* (provider: Provider, list: Effect.Effect<Listing, ProviderError>) {
      const now = yield* currentMillis
      const [claimed] = yield* repo.claim({
        platform: provider.name,
        now,
        dueSince: yield* dueSince(provider, now),
        leaseUntil: leaseAt(now),
      })
      if (claimed === undefined) return
      const lost = yield* Effect.flatMap(list, (listing) => sweep(provider, listing)).pipe(
        Effect.timeoutOrElse({ duration: longest, orElse: () => Effect.succeed(claimed.lost) }),
        Effect.raceFirst(renewing(provider)),
      )
      yield* tell(provider, lost, claimed.lost)
      yield* repo.finish(provider.name, lost, yield* currentMillis)
    },
    (work, { name }) => surviving(`Checking ${name} for untracked channels failed`)(work),
  )

  return Effect.gen(function* () {
    for (const provider of yield* registry.enabled) {
      const { list } = provider.channels ?? {}
      if (list !== undefined) yield* sweepIfDue(provider, list)
    }
    for (const { lost, platform } of yield* presentlyLost(repo)) {
      yield* Metric.update(metrics.channelsUnrecorded({ provider: platform }), lost.length)
    }
  })
})

/**
 * Looks for channels that upstreams have and no record has, where they can be listed: once in a while, shortly after
 * each start, and once what came of an opening can be told. A channel that certainly belongs to an opening with unknown
 * outcome is given to it; the operator is told of the others. One replica does so at a time.
 */
export const reconcileOpenings = (options: ReconcileOptions) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const round = yield* makeReconcileRound(options)
    yield* Effect.sleep(Duration.min(options.sweepInterval, mostPause)).pipe(
      Effect.andThen(surviving("Checking for untracked channels failed")(round)),
      Effect.forever,
      Effect.forkScoped,
    )
  }))
