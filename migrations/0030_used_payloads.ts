import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Payloads of which a swap is known. An upstream that finds swaps by the marks of their payloads alone is asked once for
 * each mark: the used ones would take the places of those that may be the answer.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE vault_swap_payloads ADD COLUMN is_used boolean NOT NULL DEFAULT false`
})
