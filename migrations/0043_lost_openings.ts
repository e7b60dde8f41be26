import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The looks for channels that no record has, a row for each provider: who looks, until when, and what was last found.
 * The index is of openings whose outcome is not known (yet), of which there are few.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE opening_sweeps (
      platform text PRIMARY KEY,
      swept_at timestamptz NOT NULL,
      lease_until timestamptz NOT NULL,
      lost jsonb NOT NULL
    )`
  yield* sql`
    CREATE INDEX swaps_undecided ON swaps (platform, created_at) WHERE opening IN ('requested', 'unknown')`
})
