import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The searches for transactions of payloads, a row for each provider: until when all that it knows was dealt with, when
 * the last search ended, and until when a replica makes one.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payload_searches (
      platform text PRIMARY KEY,
      complete_until timestamptz NOT NULL,
      searched_at timestamptz NOT NULL,
      lease_until timestamptz NOT NULL
    )`
})
