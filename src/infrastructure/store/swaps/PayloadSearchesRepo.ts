import { Effect, Schema } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { PayloadMark } from "#domain/swaps/VaultSwap.ts"
import { Timestamp, toTimestamp } from "../database/columns.ts"
import { column, repository, rows } from "../database/repository.ts"

/** The most marks asked for, one call each. With more swaps at a time, the earlier are found after the later ones. */
const mostMarks = 50

/** A provider and a source asset that an account has had a payload for. */
const AskedFor = Schema.Struct({
  platform: ProviderName,
  sourceAsset: AssetId,
  /** Whether one of these payloads is looked for still, and no swap of it is known. */
  isOpen: Schema.Boolean,
})
export type AskedFor = typeof AskedFor.Type

/** A search for the transactions of a provider's payloads that is to begin. */
export interface SearchClaim {
  readonly platform: ProviderName
  readonly now: EpochMillis
  /** None is due where one has ended since then. */
  readonly dueSince: EpochMillis
  readonly leaseUntil: EpochMillis
}

const ClaimedSearch = Schema.Struct({ since: Timestamp, assets: Schema.Array(AssetId) })
export type ClaimedSearch = typeof ClaimedSearch.Type

const places = rows(AskedFor)
const marks = column(PayloadMark)
const searches = rows(ClaimedSearch)
const texts = column(Schema.String)

/** The payloads whose transactions are looked for: by an account that names one, and by the service itself. */
export class PayloadSearchesRepo
  extends repository<PayloadSearchesRepo>()("SoughtPayloads", ({ op, sql }) => {
    /** A payload's transactions are looked for until it has expired, and a day more (decision 48). */
    const isSought = (at: EpochMillis) => sql`expires_at > ${toTimestamp(at)}::timestamptz - interval '1 day'`

    return {
      /** Where an account has had payloads for, the places of those that are looked for first. */
      askedFor: op("askedFor", (account: AccountId, at: EpochMillis) =>
        places.all(sql`
        SELECT platform, source_asset AS "sourceAsset", bool_or(NOT is_used AND ${isSought(at)}) AS "isOpen"
        FROM vault_swap_payloads WHERE account_id = ${account}
        GROUP BY platform, source_asset ORDER BY "isOpen" DESC, platform, source_asset`)),

      /** Marks of an account's payloads at a provider without a known swap, not long stale, newest first. */
      marks: op("marks", (account: AccountId, platform: ProviderName, at: EpochMillis) =>
        marks.all(sql`
        SELECT mark FROM vault_swap_payloads
        WHERE account_id = ${account} AND platform = ${platform} AND mark IS NOT NULL AND NOT is_used
          AND expires_at > ${toTimestamp(at)}::timestamptz - interval '7 days'
        ORDER BY created_at DESC, id DESC LIMIT ${mostMarks}`)),

      /** Leases a search to this replica, if one is due and payloads are searched for, from `since` on. */
      claim: op("claim", ({ dueSince, leaseUntil, now, platform }: SearchClaim) =>
        searches.first(sql`
        WITH sought AS (
          SELECT min(created_at) AS since, jsonb_agg(DISTINCT source_asset) AS assets
          FROM vault_swap_payloads WHERE platform = ${platform} AND ${isSought(now)}
        )
        INSERT INTO payload_searches AS search (platform, complete_until, searched_at, lease_until)
        SELECT ${platform}, since, to_timestamp(0), ${toTimestamp(leaseUntil)}::timestamptz
        FROM sought WHERE since IS NOT NULL
        ON CONFLICT (platform) DO UPDATE SET lease_until = excluded.lease_until
        WHERE search.lease_until <= ${toTimestamp(now)} AND search.searched_at < ${toTimestamp(dueSince)}
        RETURNING (SELECT assets FROM sought) AS assets,
          greatest(search.complete_until, (SELECT since FROM sought)) AS since`)),

      /** Those of the transactions that no account has on record. */
      unrecorded: op(
        "unrecorded",
        (platform: ProviderName, transactions: ReadonlyArray<string>) =>
          texts.all(sql`
          SELECT listed AS transaction
          FROM jsonb_array_elements_text(${JSON.stringify(transactions)}::jsonb) AS listed
          WHERE NOT EXISTS (
            SELECT 1 FROM swaps WHERE vault_transaction = listed AND platform = ${platform})`),
      ),

      /** Ends a search, and says until when all that the upstream knows was dealt with. */
      finish: op(
        "finish",
        (platform: ProviderName, completeUntil: EpochMillis, at: EpochMillis) =>
          Effect.asVoid(sql`
          UPDATE payload_searches SET complete_until = ${toTimestamp(completeUntil)},
            searched_at = ${toTimestamp(at)}, lease_until = ${toTimestamp(at)}
          WHERE platform = ${platform}`),
      ),
    }
  }) {}
