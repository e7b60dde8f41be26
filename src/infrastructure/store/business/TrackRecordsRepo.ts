import { Context, Effect, Schema } from "effect"
import { AssetId } from "#domain/chains/Asset.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { toTimestamp, WholeNumber } from "../database/columns.ts"
import { repository, rows } from "../database/repository.ts"

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

/** How the latest swaps of a provider and a pair ended, over all accounts, but for ends that accounts chose themselves. */
export type PairEnds = typeof PairEnds.Type

const pairs = rows(PairEnds)

/** The most ends of a provider and a pair that are looked at, the latest first. */
export const MostEnds = Context.Reference("swap-broker/store/MostEnds", { defaultValue: () => 200 })

/** The most stalled swaps that are counted. */
const mostStalled = 2_000

/**
 * How swaps of providers and pairs ended, as far as the provider decided it. Of one account no more ends count between
 * two chains than a tenth of what is looked at of a pair, or a ninth of the others' together: so none pushes a provider up
 * or down for all. What is read is bounded by the pairs that each account ever swapped, however many swaps there are.
 */
export class TrackRecordsRepo
  extends repository<TrackRecordsRepo>()("TrackRecords", ({ op, sql }) =>
    Effect.map(MostEnds, (latest) => {
      const ofAccount = Math.max(1, Math.floor(latest / 10))
      return {
        /** Pairs with an end since then, or a stalled swap; the index leads from each account to the next. */
        since: op("since", (from: EpochMillis) =>
          pairs.all(sql`
            WITH RECURSIVE owner AS (
              (SELECT provider, asset, destination_asset, account_id FROM swap_ends
                ORDER BY provider, asset, destination_asset, account_id LIMIT 1)
              UNION ALL
              SELECT later.* FROM owner CROSS JOIN LATERAL (
                SELECT provider, asset, destination_asset, account_id FROM swap_ends
                WHERE (provider, asset, destination_asset, account_id)
                  > (owner.provider, owner.asset, owner.destination_asset, owner.account_id)
                ORDER BY provider, asset, destination_asset, account_id LIMIT 1
              ) AS later
            ), known AS (
              SELECT owner.*, outcome, seconds, ended_at,
                row_number() OVER (PARTITION BY owner.provider, owner.asset, owner.destination_asset ORDER BY ended_at DESC)
                  AS place
              FROM owner CROSS JOIN LATERAL (
                SELECT outcome, seconds, ended_at FROM swap_ends AS one
                WHERE (one.provider, one.asset, one.destination_asset, one.account_id)
                    = (owner.provider, owner.asset, owner.destination_asset, owner.account_id)
                  AND ended_at >= ${toTimestamp(from)} AND NOT is_own
                ORDER BY ended_at DESC LIMIT ${ofAccount}
              ) AS one
            ), between_chains AS (
              SELECT *, provider || ' ' || split_part(asset, '.', 2) || ' ' || split_part(destination_asset, '.', 2) AS class
              FROM known WHERE place <= ${latest}
            ), shared AS (
              SELECT *, row_number() OVER (PARTITION BY class, account_id ORDER BY ended_at DESC) AS own_place,
                count(*) OVER (PARTITION BY class) - count(*) OVER (PARTITION BY class, account_id) AS others
              FROM between_chains
            ), ended AS (
              SELECT provider, asset, destination_asset,
                count(*) FILTER (WHERE outcome = 'completed') AS completed,
                count(*) FILTER (WHERE outcome = 'refunded') AS refunded,
                count(*) FILTER (WHERE outcome = 'failed') AS failed,
                0::bigint AS stalled,
                coalesce(array_agg(seconds) FILTER (WHERE seconds IS NOT NULL), '{}') AS seconds
              FROM shared WHERE own_place <= greatest(${ofAccount}::int, others / 9)
              GROUP BY provider, asset, destination_asset
            ), stalling AS (
              SELECT platform, source_asset, destination_asset, 0::bigint, 0::bigint, 0::bigint, count(*), '{}'::integer[]
              FROM (
                SELECT platform, source_asset, destination_asset,
                  row_number() OVER (PARTITION BY platform, split_part(source_asset, '.', 2),
                    split_part(destination_asset, '.', 2), account_id) AS own_place
                FROM (
                  SELECT platform, source_asset, destination_asset, account_id FROM listed_swaps WHERE is_stalled
                  ORDER BY swap_id DESC LIMIT ${mostStalled}
                ) AS latest
              ) AS stalled
              WHERE own_place <= ${ofAccount}
              GROUP BY platform, source_asset, destination_asset
            )
            SELECT provider AS platform, asset AS "sourceAsset", destination_asset AS "destinationAsset", completed,
              refunded, failed, stalled, seconds
            FROM (SELECT * FROM ended UNION ALL SELECT * FROM stalling) AS found
            WHERE provider <> '' AND asset <> '' AND destination_asset <> ''`)),
      }
    })) {}
