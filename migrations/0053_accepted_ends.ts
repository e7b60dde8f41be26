import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A change of a swap can have its reason in the journal, such as that the operator accepted its end. Versions from
 * before write changes without one, and read those that have one. What stands already fits the wider rule.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE swap_journal DROP CONSTRAINT swap_journal_check1`
  yield* sql`
    ALTER TABLE swap_journal ADD CONSTRAINT swap_journal_detail
    CHECK (kind NOT IN ('contradicted', 'stalled') OR detail IS NOT NULL) NOT VALID`
})
