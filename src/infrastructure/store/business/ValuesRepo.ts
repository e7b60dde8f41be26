import { BigDecimal, Schema } from "effect"
import { AssetId, factsOf } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { Timestamp, toTimestamp } from "../database/columns.ts"
import { any, repository, rows, rowsAs } from "../database/repository.ts"
import { type AssetHour, makeHourlyPrices } from "./hourlyPrices.ts"

const prices = rowsAs(
  Schema.Struct({ asset: AssetId, usd: Schema.BigDecimalFromString }),
  ({ asset, usd }) => [asset, usd] as const,
)

const hourlyPrices = rows(
  Schema.Struct({ asset: AssetId, hour: Timestamp, usd: Schema.BigDecimalFromString }),
)

/** How many times as much, or as little, as the last price of a day a price may be: a wrong one would stay for ever. */
const mostTimes = 4

/** The prices by which ends and commissions get their value in US dollars (migration 0056). */
export class ValuesRepo extends repository<ValuesRepo>()("Values", ({ op, sql, transaction }) => ({
  /**
   * What is made with the prices of hours (decision 69): those that are not in memory are read in one statement. It may
   * be made twice, so it has no effects.
   */
  priced: makeHourlyPrices(op("priced", (missing: ReadonlyArray<AssetHour>) =>
    hourlyPrices.all(sql`
      SELECT asset, hour, usd::text FROM asset_prices JOIN unnest(${
      missing.map(({ asset }) => asset)
    }::text[], ${
      missing.map(({ hour }) => toTimestamp(hour))
    }::timestamptz[]) AS wanted (asset, hour) USING (asset, hour)`))),

  /** Keeps the hour's first prices in US dollars a unit, and values what ended within the last hour. */
  keep: transaction("keep", function* (known: ReadonlyMap<AssetId, BigDecimal.BigDecimal>, now: EpochMillis) {
    const at = toTimestamp(now)
    const told = [...known].map(([asset, price]) => ({
      asset,
      usd: formatDecimal(BigDecimal.make(price.value, price.scale + factsOf(asset).decimals)),
    }))
    const isNew = yield* any(sql`
      INSERT INTO asset_prices
      SELECT asset, date_trunc('hour', ${at}::timestamptz, 'UTC'), told.usd
      FROM jsonb_to_recordset(${JSON.stringify(told)}::text::jsonb) AS told (asset text, usd numeric)
      CROSS JOIN LATERAL (SELECT price_at(asset, ${at}) AS usd) AS before
      WHERE told.usd > 0 AND NOT coalesce(
        told.usd > before.usd * ${mostTimes} OR before.usd > told.usd * ${mostTimes}, false)
      ORDER BY asset
      ON CONFLICT DO NOTHING RETURNING 1`)
    if (!isNew) return
    const ends = sql`value IS NULL AND ended_at > ${at}::timestamptz - interval '1 hour'`
    const earned = sql`value IS NULL AND earned_at > ${at}::timestamptz - interval '1 hour'`
    // Swaps that end lock their account before anything else.
    yield* sql`
      SELECT lock_accounts(ARRAY(
        SELECT account_id FROM swap_ends WHERE ${ends} UNION SELECT account_id FROM commissions WHERE ${earned}))`
    yield* sql`
      UPDATE swap_ends SET value = value_of(asset, amount, ${at})
      WHERE ${ends} AND price_at(asset, ${at}) IS NOT NULL`
    yield* sql`
      UPDATE commissions SET value = value_of(asset, amount, ${at})
      WHERE ${earned} AND price_at(asset, ${at}) IS NOT NULL`
  }),

  /** US dollars for one native unit of each asset at a time: the last price of the day before it. */
  pricesAt: op("pricesAt", function* (assets: ReadonlyArray<AssetId>, at: EpochMillis) {
    return new Map(
      yield* prices.all(sql`
        SELECT asset, usd::text FROM (
          SELECT asset, price_at(asset, ${toTimestamp(at)}) AS usd FROM unnest(${assets}::text[]) AS asset
        ) AS priced WHERE usd IS NOT NULL`),
    )
  }),
})) {}
