import { Schema } from "effect"
import { AccountId, AccountName } from "#domain/accounts/Account.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { idOf, toTimestamp } from "../database/columns.ts"
import { column, repository, rows } from "../database/repository.ts"

/** What an account's openings at a provider have cost the operator. */
const Spending = Schema.Struct({
  accountId: idOf(AccountId),
  account: AccountName,
  channels: Schema.Int,
  /** Those of `channels` whose price is not known (yet). */
  unpriced: Schema.Int,
  /** The prices of the others, in native units, without the cost of their transactions. */
  fees: Schema.BigIntFromString,
})
export type Spending = typeof Spending.Type
const spendings = rows(Spending)
const counts = column(Schema.Int)

const sums = `count(swaps.id)::int AS channels,
  (count(swaps.id) FILTER (WHERE opening_fee IS NULL))::int AS unpriced, coalesce(sum(opening_fee), 0)::text AS fees`

/** The openings that were paid for, or may have been: as the index of migration 0051 has them. */
const paid = "(channel_id IS NOT NULL OR opening IN ('requested', 'unknown'))"

/** What openings of channels have cost the operator's account at a provider of late, by the records of all replicas. */
export class SpendingRepo extends repository<SpendingRepo>()("Spending", ({ op, sql }) => ({
  /** What each account's openings since then have cost, of those that are over; the account with the most first. */
  byAccount: op("byAccount", (platform: ProviderName, since: EpochMillis) =>
    spendings.all(sql`
      SELECT account_id AS "accountId", accounts.name AS account, ${sql.literal(sums)}
      FROM swaps JOIN accounts ON accounts.id = account_id
      WHERE platform = ${platform} AND swaps.created_at >= ${toTimestamp(since)}::timestamptz
        AND ${sql.literal(paid)} AND opening <> 'requested'
      GROUP BY 1, 2 ORDER BY channels DESC, account_id`)),

  /** What earlier openings of the account have taken since then; concurrent ones count each other. */
  before: op("before", (opening: SwapRecordId, since: EpochMillis) =>
    spendings.first(sql`
      SELECT own.account_id AS "accountId", accounts.name AS account, taken.*
      FROM swaps AS own JOIN accounts ON accounts.id = own.account_id
      CROSS JOIN LATERAL (
        SELECT ${sql.literal(sums)} FROM swaps
        WHERE swaps.platform = own.platform AND swaps.created_at >= ${toTimestamp(since)}::timestamptz
          AND ${sql.literal(paid)} AND swaps.account_id = own.account_id AND swaps.id < own.id
      ) AS taken
      WHERE own.id = ${opening}`)),

  /** How many accounts there are that may open channels. */
  accounts: op(
    "accounts",
    counts.only(sql`SELECT count(*)::int AS accounts FROM accounts WHERE NOT suspended`),
  ),
})) {}
