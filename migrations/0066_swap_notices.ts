import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What was shown of a swap: the payer's page (`page`), or an event of a type on an event stream. Who saw it is not kept. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE swap_notices (
      swap_id bigint NOT NULL REFERENCES swaps (id) ON DELETE CASCADE,
      kind text NOT NULL,
      first_at timestamptz NOT NULL,
      last_at timestamptz NOT NULL,
      times integer NOT NULL,
      PRIMARY KEY (swap_id, kind)
    )`
})
