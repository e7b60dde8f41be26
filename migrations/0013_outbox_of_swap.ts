import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whoever follows one swap reads its events alone, however many the account has. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX outbox_of_swap ON outbox (swap_id, id)`
})
