import { Context, Duration, Effect, Layer, Schedule } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import {
  classOfPair,
  emptyRecord,
  recordDays,
  type SwapEnds,
  type TrackRecord,
  trackRecord,
} from "#domain/operations/TrackRecord.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { type PairEnds, TrackRecordsRepo } from "#infrastructure/store/business/TrackRecordsRepo.ts"

/** How old a record may be. Quotes never wait for one. */
const refreshEvery = Duration.minutes(1)

type Records = ReadonlyMap<string, TrackRecord>

const keyOf = (platform: ProviderName, source: AssetId, destination: AssetId): string =>
  `${platform} ${classOfPair(source, destination)}`

/** The records of all providers and classes, of the ends of their pairs. */
const recordsOf = (pairs: ReadonlyArray<PairEnds>): Records => {
  const classes = Map.groupBy(
    pairs,
    ({ destinationAsset, platform, sourceAsset }) => keyOf(platform, sourceAsset, destinationAsset),
  )
  const sum = (of: ReadonlyArray<PairEnds>, outcome: keyof SwapEnds) =>
    of.reduce((total, pair) => total + pair[outcome], 0)
  return new Map([...classes].map(([key, of]) => [
    key,
    trackRecord(
      {
        completed: sum(of, "completed"),
        refunded: sum(of, "refunded"),
        failed: sum(of, "failed"),
        stalled: sum(of, "stalled"),
      },
      of.flatMap(({ seconds }) => seconds),
    ),
  ]))
}

/** What our own swaps tell of providers: a snapshot of some seconds ago, renewed in the background. */
export class TrackRecords extends Context.Service<TrackRecords, {
  readonly of: (platform: ProviderName, source: AssetId, destination: AssetId) => TrackRecord
}>()("swap-broker/quoting/TrackRecords") {
  /** No records: for quotes without a database. */
  static readonly layerEmpty: Layer.Layer<TrackRecords> = Layer.succeed(TrackRecords, {
    of: () => emptyRecord,
  })

  static readonly layerRunning = Layer.effect(TrackRecords)(Effect.gen(function* () {
    const repo = yield* TrackRecordsRepo
    let records: Records = new Map()
    const refresh = Effect.gen(function* () {
      const since = (yield* currentMillis) - Duration.toMillis(Duration.days(recordDays))
      records = recordsOf(yield* repo.since(EpochMillis.make(Math.max(0, since))))
    }).pipe(
      Effect.catch((error) => Effect.logDebug("The track records stay as they were", error)),
      Effect.repeat(Schedule.spaced(refreshEvery)),
    )
    yield* Effect.forkScoped(refresh)
    return TrackRecords.of({
      of: (platform, source, destination) => records.get(keyOf(platform, source, destination)) ?? emptyRecord,
    })
  }))
}
