import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Who is signed in to the dashboard, and the links by which integrators come in. Only hashes of the tokens are kept.
 * Without an account it is the operator's own session, which is its key's. A link that the command line made has no
 * key.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE dashboard_sessions (
      token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
      key_id bigint REFERENCES api_keys (id),
      account_id bigint REFERENCES accounts (id),
      expires_at timestamptz NOT NULL,
      CHECK (key_id IS NOT NULL OR account_id IS NOT NULL)
    )`
  yield* sql`CREATE INDEX dashboard_sessions_ended ON dashboard_sessions (expires_at)`
  yield* sql`
    CREATE TABLE portal_links (
      token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
      key_id bigint REFERENCES api_keys (id),
      account_id bigint NOT NULL REFERENCES accounts (id),
      expires_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX portal_links_ended ON portal_links (expires_at)`
})
