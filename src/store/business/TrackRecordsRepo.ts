import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AssetId } from "../../domain/Asset.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

const PairEnds = Schema.Struct({
  platform: ProviderName,
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  completed: WholeNumber,
  refunded: WholeNumber,
  failed: WholeNumber,
  stalled: WholeNumber,
  /** Of the completed swaps whose times are known. */
  seconds: Schema.Array(Schema.Int),
})

/** How the latest swaps of a provider and a pair ended, over all accounts. */
export type PairEnds = typeof PairEnds.Type

const decodePairs = Schema.decodeUnknownEffect(Schema.Array(PairEnds))

/** The most ends of a provider and a pair that are looked at, the latest first. */
export const latestEnds = 200

/** The most stalled swaps that are counted. */
const mostStalled = 2_000

/**
 * How swaps of providers and pairs ended. What is read is bounded by the pairs that were ever swapped, however many
 * swaps there are.
 */
export class TrackRecordsRepo extends Context.Service<TrackRecordsRepo, {
  /** The pairs with an end since then, or with a swap that has stalled now. */
  readonly since: (from: EpochMillis) => Effect.Effect<ReadonlyArray<PairEnds>, StoreUnavailable>
}>()("swap-broker/store/TrackRecordsRepo") {
  /** Looks at so many ends of each pair. */
  static readonly layerLooking = (latest: number) =>
    Layer.effect(
      TrackRecordsRepo,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // From each pair the index leads to the next one, past all its ends.
        const since = (from: EpochMillis) =>
          Effect.flatMap(
            sql`
            WITH RECURSIVE pair AS (
              (SELECT provider, asset, destination_asset FROM swap_ends
                ORDER BY provider, asset, destination_asset LIMIT 1)
              UNION ALL
              SELECT later.* FROM pair CROSS JOIN LATERAL (
                SELECT provider, asset, destination_asset FROM swap_ends
                WHERE (provider, asset, destination_asset) > (pair.provider, pair.asset, pair.destination_asset)
                ORDER BY provider, asset, destination_asset LIMIT 1
              ) AS later
            ), ended AS (
              SELECT provider, asset, destination_asset,
                count(*) FILTER (WHERE outcome = 'completed') AS completed,
                count(*) FILTER (WHERE outcome = 'refunded') AS refunded,
                count(*) FILTER (WHERE outcome = 'failed') AS failed,
                0::bigint AS stalled,
                coalesce(array_agg(seconds) FILTER (WHERE seconds IS NOT NULL), '{}') AS seconds
              FROM pair CROSS JOIN LATERAL (
                SELECT outcome, seconds FROM swap_ends AS known
                WHERE (known.provider, known.asset, known.destination_asset)
                    = (pair.provider, pair.asset, pair.destination_asset)
                  AND ended_at >= ${toTimestamp(from)}
                ORDER BY ended_at DESC LIMIT ${latest}
              ) AS known
              GROUP BY provider, asset, destination_asset
            ), stalling AS (
              SELECT platform, source_asset, destination_asset, 0::bigint, 0::bigint, 0::bigint, count(*), '{}'::integer[]
              FROM (
                SELECT platform, source_asset, destination_asset FROM listed_swaps WHERE is_stalled
                ORDER BY swap_id DESC LIMIT ${mostStalled}
              ) AS stalled
              GROUP BY platform, source_asset, destination_asset
            )
            SELECT provider AS platform, asset AS "sourceAsset", destination_asset AS "destinationAsset", completed,
              refunded, failed, stalled, seconds
            FROM (SELECT * FROM ended UNION ALL SELECT * FROM stalling) AS found
            WHERE provider <> '' AND asset <> '' AND destination_asset <> ''`,
            decodePairs,
          ).pipe(storeOperation("TrackRecords.since"))
        return TrackRecordsRepo.of({ since })
      }),
    )

  static readonly layer = TrackRecordsRepo.layerLooking(latestEnds)
}
