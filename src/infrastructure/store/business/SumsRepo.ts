import { Schema } from "effect"
import type { Statement } from "effect/sql"
import { AccountName } from "#domain/accounts/Account.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import {
  BusinessMeasure,
  type CommissionKey,
  type CommissionSumsQuery,
  type OverviewQuery,
  SwapOutcome,
} from "#domain/operations/Business.ts"
import { UtcDay } from "#domain/money/Commission.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { absentWhenNull, Timestamp, toTimestamp, UsdText, WholeNumber } from "../database/columns.ts"
import { given, repository, rows } from "../database/repository.ts"
import { commissionFields, commissionSums } from "../accounts/CommissionsRepo.ts"

const commissions = rows(Schema.Struct({
  day: absentWhenNull(UtcDay),
  account: absentWhenNull(AccountName),
  platform: absentWhenNull(ProviderName),
  ...commissionFields,
  value: UsdText,
  unvalued: WholeNumber,
}))

const endedSwaps = rows(
  Schema.Struct({ at: Timestamp, platform: ProviderName, outcome: SwapOutcome, swaps: WholeNumber }),
)

const assetSums = rows(Schema.Struct({ asset: AssetId, amount: Schema.BigIntFromString, swaps: WholeNumber }))

const valued = { measure: BusinessMeasure, swaps: WholeNumber, value: UsdText, unvalued: WholeNumber }

const valuedSums = "sum(swaps)::bigint AS swaps, sum(value)::text AS value, sum(unvalued)::bigint AS unvalued"

const businessFigures = rows(Schema.Struct({ at: Timestamp, platform: ProviderName, ...valued }))

const accountFigures = rows(Schema.Struct({ at: Timestamp, account: AccountName, ...valued }))

/** The columns of the keys of a sum; amounts of two assets do not add up, so the asset is always one of them. */
const keyColumns = {
  day: "day::text",
  account: 'accounts.name COLLATE "C"',
  platform: 'platform COLLATE "C"',
  asset: 'asset COLLATE "C"',
} satisfies Record<CommissionKey, string>

/** Sums that the database keeps (migration 0031): reading depends on accounts, assets and days, not on swaps. */
export class SumsRepo extends repository<SumsRepo>()("Sums", ({ op, sql }) => {
  const ofAccount = (name: AccountName | undefined): Statement.Fragment =>
    given(name, (name) => sql`AND account_id = (SELECT id FROM accounts WHERE name = ${name})`)

  const within = ({ account, before, from, step }: OverviewQuery) =>
    sql`
      hour >= date_trunc(${step}::text, ${toTimestamp(from)}::timestamptz, 'UTC')
      AND hour < ${toTimestamp(before)} ${ofAccount(account)}`

  const ofMeasure = (name: string, measure: "completed" | "commission") =>
    op(name, (query: OverviewQuery) =>
      assetSums.all(sql`
        SELECT asset, sum(amount)::text AS amount, sum(swaps)::bigint AS swaps
        FROM business_hours WHERE ${within(query)} AND measure = ${measure}
        GROUP BY asset ORDER BY asset COLLATE "C"`))

  return {
    /** The commission by the wanted keys and by asset, in the order day, account, provider, asset. */
    commission: op("commission", (query: CommissionSumsQuery) => {
      const { account, asset, by, from, platform, to } = query
      const isKey = (key: CommissionKey) => key === "asset" || by.includes(key)
      const column = (key: CommissionKey) => sql.literal(isKey(key) ? keyColumns[key] : "NULL::text")
      const keys = sql.literal(
        (["day", "account", "platform", "asset"] as const).flatMap((key) =>
          isKey(key) ? [keyColumns[key]] : []
        ).join(),
      )
      const accounts = sql.literal(isKey("account") ? "JOIN accounts ON accounts.id = account_id" : "")
      const wanted = sql`
        ${ofAccount(account)} ${given(platform, (platform) => sql`AND platform = ${platform}`)}
        ${given(asset, (asset) => sql`AND asset = ${asset}`)}`
      return commissions.all(sql`
        SELECT ${column("day")} AS day, ${column("account")} AS account, ${column("platform")} AS platform,
          ${column("asset")} AS asset, ${sql.literal(commissionSums)}, sum(value)::text AS value,
          sum(unvalued)::bigint AS unvalued
        FROM (
          SELECT account_id, day, platform, asset, amount, kept, estimates, swaps, 0 AS value, 0 AS unvalued
          FROM commission_days WHERE day BETWEEN ${from}::text::date AND ${to}::text::date ${wanted}
          UNION ALL
          SELECT account_id, (hour AT TIME ZONE 'UTC')::date, platform, asset, 0, 0, 0, 0, value, unvalued
          FROM business_hours
          WHERE measure = 'commission' AND hour >= ${from}::text::date::timestamp AT TIME ZONE 'UTC'
            AND hour < (${to}::text::date + 1)::timestamp AT TIME ZONE 'UTC' ${wanted}
        ) AS parts ${accounts}
        GROUP BY ${keys} ORDER BY ${keys}`)
    }),

    /** The swaps that ended in each hour or day, by provider and outcome. */
    ended: op("ended", (query: OverviewQuery) =>
      endedSwaps.all(sql`
        SELECT date_trunc(${query.step}::text, hour, 'UTC') AS at, platform, measure AS outcome,
          sum(swaps)::bigint AS swaps
        FROM business_hours WHERE ${within(query)} AND measure <> 'commission'
        GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`)),

    /** What was swapped and earned in each hour or day, by provider and measure. */
    figures: op("figures", (query: OverviewQuery) =>
      businessFigures.all(sql`
        SELECT date_trunc(${query.step}::text, hour, 'UTC') AS at, platform, measure, ${
        sql.literal(valuedSums)
      }
        FROM business_hours WHERE ${within(query)}
        GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`)),

    /** What each account swapped and earned in each hour or day. */
    ofAccounts: op("ofAccounts", (query: Omit<OverviewQuery, "account">) =>
      accountFigures.all(sql`
        SELECT date_trunc(${query.step}::text, hour, 'UTC') AS at, accounts.name AS account, measure, ${
        sql.literal(valuedSums)
      }
        FROM business_hours JOIN accounts ON accounts.id = account_id
        WHERE ${within(query)} GROUP BY 1, 2, 3 ORDER BY 1, accounts.name COLLATE "C", 3`)),

    /** The deposits of swaps that completed, by source asset. */
    volume: ofMeasure("volume", "completed"),

    /** The commission of a period in hours, by asset. */
    earned: ofMeasure("earned", "commission"),
  }
}) {}
