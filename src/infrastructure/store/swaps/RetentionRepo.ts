import type { EpochMillis } from "#domain/Time.ts"
import { toTimestamp } from "../database/columns.ts"
import { count, deleteBefore, repository } from "../database/repository.ts"

/**
 * Deletes records from before a time that are no longer needed, at most `limit`, the oldest first; returns their number.
 * Rows that another replica has locked are left to it.
 */
export class RetentionRepo extends repository<RetentionRepo>()("Retention", ({ op, sql }) => ({
  /** Openings that provably opened nothing; an opening with a key is kept as long as the key. */
  forgetRefused: op("forgetRefused", (before: EpochMillis, limit: number) =>
    count(sql`
      DELETE FROM swaps WHERE id IN (
        SELECT id FROM swaps
        WHERE opening = 'refused' AND created_at < ${toTimestamp(before)}
          AND NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE swap_id = swaps.id)
        ORDER BY created_at LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      )
      RETURNING id`)),

  /**
   * Payloads that expired before the time. A transaction made of such a payload has no owner afterwards, so the time
   * has to be weeks ago. Swaps made of payloads have records of their own, which stay.
   */
  forgetPayloads: op("forgetPayloads", deleteBefore(sql, "vault_swap_payloads", "expires_at")),
})) {}
