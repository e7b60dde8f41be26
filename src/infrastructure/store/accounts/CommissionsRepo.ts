import { Schema } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { type CommissionQuery, UtcDay } from "#domain/money/Commission.ts"
import { WholeNumber } from "../database/columns.ts"
import { given, repository, rows } from "../database/repository.ts"

/** The figures of rows of `commission_days` in one asset, summed. */
export const commissionSums =
  'sum(amount)::text AS amount, sum(kept)::text AS kept, sum(estimates) > 0 AS "isEstimate", sum(swaps)::bigint AS swaps'

/** The columns of such a sum. */
export const commissionFields = {
  asset: AssetId,
  amount: Schema.BigIntFromString,
  kept: Schema.BigIntFromString,
  isEstimate: Schema.Boolean,
  swaps: WholeNumber,
}

const earnedCommissions = rows(Schema.Struct({ day: UtcDay, ...commissionFields }))

/**
 * The commissions that swaps have earned. Triggers of the database write them with the status of a swap (migration
 * 0011), so that only recorded swaps count, and each of them once, and keep their sums of each day (migration 0031).
 */
export class CommissionsRepo extends repository<CommissionsRepo>()("Commissions", ({ op, sql }) => ({
  /** Commissions by day and then by asset. The query reads a row for each day, asset and provider, however many swaps. */
  earned: op(
    "earned",
    (account: AccountId, { from, to, asset }: CommissionQuery) =>
      earnedCommissions.all(sql`
        SELECT day::text, asset, ${sql.literal(commissionSums)}
        FROM commission_days
        WHERE account_id = ${account} AND day BETWEEN ${from}::text::date AND ${to}::text::date
          ${given(asset, (asset) => sql`AND asset = ${asset}`)}
        GROUP BY commission_days.day, asset ORDER BY commission_days.day, asset COLLATE "C"`),
  ),
})) {}
