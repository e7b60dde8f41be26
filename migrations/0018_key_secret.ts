import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The secret under which issued keys carry a MAC. Its one row is made by whoever needs it first, and not here: a
 * database that is to be imported into has no rows. Calls of nodes can be switched by themselves.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE key_secret (
      id boolean PRIMARY KEY DEFAULT true CHECK (id),
      secret bytea NOT NULL CHECK (length(secret) = 32)
    )`
  yield* sql`
    ALTER TABLE provider_switches
      DROP CONSTRAINT provider_switches_operation_check,
      ADD CONSTRAINT provider_switches_operation_check
        CHECK (operation IN ('quote', 'open', 'encode', 'status', 'node'))`
})
