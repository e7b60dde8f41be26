import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountId } from "../../domain/Account.ts"
import { AssetId } from "../../domain/Asset.ts"
import { type CommissionQuery, type EarnedCommission, UtcDay } from "../../domain/Commission.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  day: UtcDay,
  asset: AssetId,
  amount: Schema.BigIntFromString,
  swaps: WholeNumber,
})))

/**
 * The commissions that swaps have earned. A trigger of the database writes them with the status of a swap (migration
 * 0011), so that only recorded swaps count, and each of them once.
 */
export class CommissionsRepo extends Context.Service<CommissionsRepo, {
  /** Commissions by day and then by asset. The query reads only an index, and only its part for the days asked for. */
  readonly earned: (
    account: AccountId,
    query: CommissionQuery,
  ) => Effect.Effect<ReadonlyArray<EarnedCommission>, StoreUnavailable>
}>()("swap-broker/store/CommissionsRepo") {
  static readonly layer = Layer.effect(
    CommissionsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const earned = (account: AccountId, { from, to, asset }: CommissionQuery) =>
        Effect.flatMap(
          sql`
            SELECT earned_on::text AS day, asset, sum(amount)::text AS amount, count(*) AS swaps
            FROM commissions
            WHERE account_id = ${account} AND earned_on BETWEEN ${from}::text::date AND ${to}::text::date
              ${asset === undefined ? sql.literal("") : sql`AND asset = ${asset}`}
            GROUP BY earned_on, asset ORDER BY earned_on, asset COLLATE "C"`,
          decodeRows,
        ).pipe(storeOperation("Commissions.earned"))

      return CommissionsRepo.of({ earned })
    }),
  )
}
