import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who the payers of an account deal with: name, colour and picture of their page. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE accounts ADD COLUMN merchant jsonb`
})
