import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** For whom a look-up that may find nothing is made, so that no account has all places; null is the service itself. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE not_found_lookups ADD COLUMN account_id bigint`
})
