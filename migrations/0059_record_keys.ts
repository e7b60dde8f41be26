import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The keys of settings that records need, by fingerprints: whoever restores a copy elsewhere is told which to bring along. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE record_keys (
      setting text NOT NULL,
      fingerprint text NOT NULL,
      seen_at timestamptz NOT NULL,
      PRIMARY KEY (setting, fingerprint)
    )`
})
