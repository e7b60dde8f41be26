import type { EpochMillis } from "#domain/Time.ts"
import { toTimestamp } from "../database/columns.ts"
import { count, deleteBefore, repository } from "../database/repository.ts"

/** Deletes at most `limit` old records, oldest first, skipping locked rows; returns their number. */
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

  /** Payloads expired weeks ago: a late transaction of one has no owner. Their swaps' records stay. */
  forgetPayloads: op("forgetPayloads", deleteBefore(sql, "vault_swap_payloads", "expires_at")),
})) {}
