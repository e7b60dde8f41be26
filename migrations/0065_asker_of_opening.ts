import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** By which API key and in which request a channel was asked for; unknown of rows of earlier versions. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE swaps ADD COLUMN opening_key text, ADD COLUMN opening_request text`
})
