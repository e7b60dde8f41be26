import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { toTimestamp } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** Deletes at most `limit` records from before a time, the oldest first; returns their number. */
type Forget = (before: EpochMillis, limit: number) => Effect.Effect<number, StoreUnavailable>

/** Deletes records that are no longer needed. Rows that another replica has locked are left to it. */
export class RetentionRepo extends Context.Service<RetentionRepo, {
  /** Openings that provably opened nothing; an opening with a key is kept as long as the key. */
  readonly forgetRefused: Forget
  /**
   * Payloads that expired before the time. A transaction made of such a payload has no owner afterwards, so the time
   * has to be weeks ago. Swaps made of payloads have records of their own, which stay.
   */
  readonly forgetPayloads: Forget
}>()("swap-broker/store/RetentionRepo") {
  static readonly layer = Layer.effect(
    RetentionRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const count = (operation: string, deletion: Statement.Statement<unknown>) =>
        Effect.map(deletion, (rows) => rows.length).pipe(storeOperation(operation))

      return RetentionRepo.of({
        forgetRefused: (before, limit) =>
          count(
            "Retention.forgetRefused",
            sql`
              DELETE FROM swaps WHERE id IN (
                SELECT id FROM swaps
                WHERE opening = 'refused' AND created_at < ${toTimestamp(before)}
                  AND NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE swap_id = swaps.id)
                ORDER BY created_at LIMIT ${limit}
                FOR UPDATE SKIP LOCKED
              )
              RETURNING id`,
          ),
        forgetPayloads: (before, limit) =>
          count(
            "Retention.forgetPayloads",
            sql`
              DELETE FROM vault_swap_payloads WHERE id IN (
                SELECT id FROM vault_swap_payloads
                WHERE expires_at < ${toTimestamp(before)}
                ORDER BY expires_at LIMIT ${limit}
                FOR UPDATE SKIP LOCKED
              )
              RETURNING id`,
          ),
      })
    }),
  )
}
