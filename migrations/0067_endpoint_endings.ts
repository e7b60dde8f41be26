import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The endpoints of upstreams whose end was announced, or has come. `seen_at` is when an answer last said so. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE endpoint_endings (
      provider text NOT NULL,
      endpoint text NOT NULL,
      seen_at timestamptz NOT NULL,
      ending jsonb NOT NULL,
      PRIMARY KEY (provider, endpoint)
    )`
})
