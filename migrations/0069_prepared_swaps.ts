import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Swaps that agents prepared, under the key by which each will be opened. `terms` is what a human confirms; it is signed
 * with the API key `key_id`, and the signature is in the confirmation that the agent holds.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE prepared_swaps (
      account_id bigint NOT NULL REFERENCES accounts (id),
      key text NOT NULL,
      key_id text NOT NULL,
      terms text NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (account_id, key)
    )`
  yield* sql`CREATE INDEX prepared_swaps_key_id ON prepared_swaps (account_id, key_id, expires_at)`
  yield* sql`CREATE INDEX prepared_swaps_expiry ON prepared_swaps (expires_at)`
})
