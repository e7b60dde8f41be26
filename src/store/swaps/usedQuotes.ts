import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { AccountId } from "../../domain/Account.ts"
import type { QuoteId } from "../../domain/BoundQuote.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { toTimestamp } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** A quote that a swap is opened by. */
export interface UsedQuote {
  readonly accountId: AccountId
  readonly id: QuoteId
  readonly expiresAt: EpochMillis
  /** The key of the opening, if it has one. */
  readonly key: string | undefined
}

/** How quotes are used up, and given back: in one statement each, so that of several requests exactly one uses a quote. */
export const makeUsedQuotes = (sql: SqlClient.SqlClient) => {
  const useQuote = ({ accountId, expiresAt, id, key }: UsedQuote, at: EpochMillis) =>
    Effect.map(
      sql`
      WITH over AS (
        DELETE FROM used_quotes
        WHERE account_id = ${accountId} AND expires_at < ${toTimestamp(at)}::timestamptz - interval '1 day'
      )
      INSERT INTO used_quotes AS used (account_id, quote_id, holder, expires_at)
      VALUES (${accountId}, ${id}, ${key ?? null}, ${toTimestamp(expiresAt)})
      ON CONFLICT (account_id, quote_id) DO UPDATE SET holder = used.holder
      WHERE used.holder = excluded.holder
      RETURNING quote_id`,
      (rows) => rows.length > 0,
    ).pipe(storeOperation("Idempotency.useQuote"))

  const giveQuoteBack = ({ accountId, id }: UsedQuote) =>
    Effect.asVoid(sql`DELETE FROM used_quotes WHERE account_id = ${accountId} AND quote_id = ${id}`)
      .pipe(storeOperation("Idempotency.giveQuoteBack"))

  return { useQuote, giveQuoteBack }
}
