import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The quotes that swaps were opened by, so that each opens one (decision 38), whichever replica is asked. `holder` is the
 * `Idempotency-Key` of the opening, which may ask again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE used_quotes (
      account_id bigint NOT NULL REFERENCES accounts (id),
      quote_id text NOT NULL,
      holder text,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (account_id, quote_id)
    )`
})
