import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The end of a record asks each table that refers to swaps whether it has rows of that one: without an index each
 * of those questions reads the whole table.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX swap_deposits_of_swap ON swap_deposits (swap_id)`
  yield* sql`CREATE INDEX webhook_deliveries_of_any_state ON webhook_deliveries (swap_id)`
})
