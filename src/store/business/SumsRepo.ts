import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { AccountName } from "../../domain/Account.ts"
import { AssetId } from "../../domain/Asset.ts"
import {
  type AssetSum,
  type CommissionKey,
  type CommissionSum,
  type CommissionSumsQuery,
  type EndedSwaps,
  type OverviewQuery,
  SwapOutcome,
} from "../../domain/Business.ts"
import { UtcDay } from "../../domain/Commission.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { spread } from "../../platform/spread.ts"
import { Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"
import { commissionFields, commissionSums } from "../accounts/CommissionsRepo.ts"

const decodeCommission = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  ...commissionFields,
  account: Schema.NullOr(AccountName),
  platform: Schema.NullOr(ProviderName),
  day: Schema.NullOr(UtcDay),
})))

const decodeEnded = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  at: Timestamp,
  platform: ProviderName,
  outcome: SwapOutcome,
  swaps: WholeNumber,
})))

const decodeSums = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ asset: AssetId, amount: Schema.BigIntFromString, swaps: WholeNumber })),
)

/** The columns of the keys of a sum; amounts of two assets do not add up, so the asset is always one of them. */
const keyColumns = {
  day: "day::text",
  account: 'accounts.name COLLATE "C"',
  platform: 'platform COLLATE "C"',
  asset: 'asset COLLATE "C"',
} satisfies Record<CommissionKey, string>

/**
 * Sums over swaps of all accounts, which the database keeps with what they sum (migration 0031). What they take to read
 * depends on the accounts, providers, assets and days that they are of, and on no number of swaps.
 */
export class SumsRepo extends Context.Service<SumsRepo, {
  /** The commission by the wanted keys and by asset, in the order day, account, provider, asset. */
  readonly commission: (
    query: CommissionSumsQuery,
  ) => Effect.Effect<ReadonlyArray<CommissionSum>, StoreUnavailable>
  /** The swaps that ended in each hour or day, by provider and outcome. */
  readonly ended: (query: OverviewQuery) => Effect.Effect<ReadonlyArray<EndedSwaps>, StoreUnavailable>
  /** The deposits of swaps that completed, by source asset. */
  readonly volume: (query: OverviewQuery) => Effect.Effect<ReadonlyArray<AssetSum>, StoreUnavailable>
  /** The commission of a period in hours, by asset. */
  readonly earned: (query: OverviewQuery) => Effect.Effect<ReadonlyArray<AssetSum>, StoreUnavailable>
}>()("swap-broker/store/SumsRepo") {
  static readonly layer = Layer.effect(
    SumsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const none = sql.literal("")

      const ofAccount = (name: AccountName | undefined): Statement.Fragment =>
        name === undefined ? none : sql`AND account_id = (SELECT id FROM accounts WHERE name = ${name})`

      const commission = Effect.fnUntraced(function* (query: CommissionSumsQuery) {
        const { account, asset, by, from, platform, to } = query
        const isKey = (key: CommissionKey) => key === "asset" || by.includes(key)
        const column = (key: CommissionKey) => sql.literal(isKey(key) ? keyColumns[key] : "NULL::text")
        const keys = sql.literal(
          (["day", "account", "platform", "asset"] as const).flatMap((key) =>
            isKey(key) ? [keyColumns[key]] : []
          ).join(),
        )
        const rows = yield* sql`
          SELECT ${column("day")} AS day, ${column("account")} AS account, ${column("platform")} AS platform,
            ${column("asset")} AS asset, ${sql.literal(commissionSums)}
          FROM commission_days ${
          isKey("account") ? sql.literal("JOIN accounts ON accounts.id = account_id") : none
        }
          WHERE day BETWEEN ${from}::text::date AND ${to}::text::date ${ofAccount(account)}
            ${platform === undefined ? none : sql`AND platform = ${platform}`}
            ${asset === undefined ? none : sql`AND asset = ${asset}`}
          GROUP BY ${keys} ORDER BY ${keys}`
        return (yield* decodeCommission(rows)).map((row): CommissionSum => ({
          ...spread(row.day ?? undefined, (day) => ({ day })),
          ...spread(row.account ?? undefined, (account) => ({ account })),
          ...spread(row.platform ?? undefined, (platform) => ({ platform })),
          ...Struct.pick(row, ["asset", "amount", "kept", "isEstimate", "swaps"]),
        }))
      }, storeOperation("Sums.commission"))

      const within = ({ account, before, from, step }: OverviewQuery) =>
        sql`
          hour >= date_trunc(${step}::text, ${toTimestamp(from)}::timestamptz, 'UTC')
          AND hour < ${toTimestamp(before)} ${ofAccount(account)}`

      const ended = (query: OverviewQuery) =>
        Effect.flatMap(
          sql`
            SELECT date_trunc(${query.step}::text, hour, 'UTC') AS at, platform, measure AS outcome,
              sum(swaps)::bigint AS swaps
            FROM business_hours WHERE ${within(query)} AND measure <> 'commission'
            GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
          decodeEnded,
        ).pipe(storeOperation("Sums.ended"))

      const ofMeasure = (measure: "completed" | "commission") => (query: OverviewQuery) =>
        Effect.flatMap(
          sql`
            SELECT asset, sum(amount)::text AS amount, sum(swaps)::bigint AS swaps
            FROM business_hours WHERE ${within(query)} AND measure = ${measure}
            GROUP BY asset ORDER BY asset COLLATE "C"`,
          decodeSums,
        ).pipe(storeOperation("Sums.ofMeasure"))

      return SumsRepo.of({
        commission,
        ended,
        volume: ofMeasure("completed"),
        earned: ofMeasure("commission"),
      })
    }),
  )
}
