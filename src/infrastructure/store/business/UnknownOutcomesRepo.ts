import { Schema } from "effect"
import { AccountName } from "#domain/accounts/Account.ts"
import { KeyId } from "#domain/accounts/Key.ts"
import { Address } from "#domain/chains/Address.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import type { UnknownOpeningsQuery } from "#domain/operations/Business.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapAmount } from "#domain/quotes/ExactOutput.ts"
import { IdempotencyKey } from "#domain/swaps/Idempotency.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { absentWhenNull, idOf, Timestamp, toTimestamp } from "../database/columns.ts"
import { repository, rows } from "../database/repository.ts"

const unknownOpenings = rows(Schema.Struct({
  id: idOf(SwapRecordId),
  account: AccountName,
  platform: ProviderName,
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  destinationAddress: Address,
  refundAddress: Address,
  amount: absentWhenNull(Schema.toCodecJson(SwapAmount)),
  idempotencyKey: absentWhenNull(IdempotencyKey),
  keyId: absentWhenNull(KeyId),
  keyLabel: absentWhenNull(Schema.String),
  requestId: absentWhenNull(Schema.String),
  checkedAt: absentWhenNull(Timestamp),
  reason: Schema.String,
  createdAt: Timestamp,
}))

const UnknownOutcomes = Schema.Struct({
  platform: ProviderName,
  openings: Schema.Int,
  withdrawals: Schema.Int,
  since: Timestamp,
})
/** The openings and withdrawals of a provider whose outcome is unknown, and when the first was asked for. */
export type UnknownOutcomes = typeof UnknownOutcomes.Type
const outcomes = rows(UnknownOutcomes)

/** Openings and withdrawals with an unknown outcome. */
export class UnknownOutcomesRepo
  extends repository<UnknownOutcomesRepo>()("UnknownOutcomes", ({ op, sql }) => ({
    /** Openings by id, at most `limit`. */
    openings: op("openings", (query: UnknownOpeningsQuery) => {
      const { account, asset, createdBefore, createdFrom, destinationAsset, offset, platform, sourceAsset } =
        query
      const [least, order] = query.sort === "ascending" ? [">=", "ASC"] as const : ["<=", "DESC"] as const
      const source = sql`request ->> 'sourceAsset'`
      const destination = sql`request ->> 'destinationAsset'`
      const filters = sql.and([
        sql`opening = 'unknown'`,
        ...(offset === undefined ? [] : [sql`swaps.id ${sql.literal(least)} ${offset}`]),
        ...(account === undefined ? [] : [sql`accounts.name = ${account}`]),
        ...(platform === undefined ? [] : [sql`swaps.platform = ${platform}`]),
        ...(asset === undefined ? [] : [sql`${asset} IN (${source}, ${destination})`]),
        ...(sourceAsset === undefined ? [] : [sql`${source} = ${sourceAsset}`]),
        ...(destinationAsset === undefined ? [] : [sql`${destination} = ${destinationAsset}`]),
        ...(createdFrom === undefined ? [] : [sql`swaps.created_at >= ${toTimestamp(createdFrom)}`]),
        ...(createdBefore === undefined ? [] : [sql`swaps.created_at < ${toTimestamp(createdBefore)}`]),
      ])
      return unknownOpenings.all(sql`
        SELECT swaps.id, accounts.name AS account, swaps.platform, ${source} AS "sourceAsset",
          ${destination} AS "destinationAsset", request ->> 'destinationAddress' AS "destinationAddress",
          request ->> 'refundAddress' AS "refundAddress", request -> 'amount' AS amount,
          keys.key AS "idempotencyKey", opening_key AS "keyId", api_keys.label AS "keyLabel",
          opening_request AS "requestId", swept_at AS "checkedAt",
          coalesce(opening_failure, '') AS reason, swaps.created_at AS "createdAt"
        FROM swaps JOIN accounts ON accounts.id = swaps.account_id
        LEFT JOIN idempotency_keys AS keys ON keys.swap_id = swaps.id
        LEFT JOIN api_keys ON public_id = opening_key
        LEFT JOIN opening_sweeps AS sweep ON sweep.platform = swaps.platform AND swept_at >= swaps.created_at
        WHERE ${filters} ORDER BY swaps.id ${sql.literal(order)} LIMIT ${query.limit}`)
    }),

    /** By provider: withdrawals, and openings of the last day. Older channels take no deposits any more. */
    counts: op("counts", (now: EpochMillis) =>
      outcomes.all(sql`
        SELECT platform, sum(openings)::int AS openings, sum(withdrawals)::int AS withdrawals, min(at) AS since
        FROM (
          SELECT platform, 1 AS openings, 0 AS withdrawals, created_at AS at FROM swaps
          WHERE opening = 'unknown' AND created_at >= ${toTimestamp(now)}::timestamptz - interval '1 day'
          UNION ALL
          SELECT platform, 0, 1, requested_at FROM withdrawals WHERE state = 'unknown'
        ) AS outcomes
        GROUP BY platform ORDER BY platform COLLATE "C"`)),
  })) {}
