import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Look-ups of the last minute that may find nothing, of all replicas: after too many of those an upstream blocks the
 * address that they come from. A few rows at any time.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE not_found_lookups (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      platform text NOT NULL,
      at timestamptz NOT NULL,
      -- Not yet, while it is under way.
      found_nothing boolean NOT NULL DEFAULT false
    )`
  yield* sql`CREATE INDEX not_found_lookups_of_platform ON not_found_lookups (platform, at)`
})
