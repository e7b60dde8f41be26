import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { RecordKey } from "#domain/swaps/RecordKey.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { toTimestamp } from "../database/columns.ts"
import { repository, rows } from "../database/repository.ts"
import { storeOperation } from "../database/storeOperation.ts"

const keys = rows(RecordKey)

/**
 * The keys that records need: those that were there within 90 days of the last one of their setting, so that one that
 * was taken away on purpose is forgotten in the end. Without encrypted secrets of webhooks none is needed for them.
 */
const needed = (sql: SqlClient.SqlClient) =>
  keys.all(sql`
    SELECT setting, fingerprint FROM record_keys k
    WHERE seen_at >= (SELECT max(seen_at) - interval '90 days' FROM record_keys o WHERE o.setting = k.setting)
      AND (setting <> 'WEBHOOK_ENCRYPTION_KEY' OR EXISTS (
        SELECT FROM webhook_secrets WHERE secret LIKE 'aes256gcm:%'))
    ORDER BY setting, fingerprint`)

/** The same of a database that may be of an earlier version, which knows of none. */
export const neededKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`SELECT 1 WHERE to_regclass('record_keys') IS NOT NULL`
  return tables.length === 0 ? [] : yield* needed(sql)
}).pipe(storeOperation("RecordKeys.needed"))

export class RecordKeysRepo extends repository<RecordKeysRepo>()("RecordKeys", ({ op, sql }) => ({
  needed: op("needed", needed(sql)),

  /** Notes keys that are there. */
  see: op(
    "see",
    (keys: ReadonlyArray<RecordKey>, now: EpochMillis) =>
      Effect.forEach(keys, ({ fingerprint, setting }) =>
        sql`
        INSERT INTO record_keys (setting, fingerprint, seen_at) VALUES (${setting}, ${fingerprint}, ${
          toTimestamp(now)
        })
        ON CONFLICT (setting, fingerprint) DO UPDATE SET seen_at = EXCLUDED.seen_at`, { discard: true }),
  ),
})) {}
