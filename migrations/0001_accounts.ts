import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Accounts and the hashes of their API keys; no part of a key is kept in clear. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE accounts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE,
      commission_bps integer NOT NULL CHECK (commission_bps BETWEEN 0 AND 10000),
      created_at timestamptz NOT NULL
    )`
  yield* sql`
    CREATE TABLE api_keys (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id bigint NOT NULL REFERENCES accounts (id),
      secret_hash bytea NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
      created_at timestamptz NOT NULL
    )`
})
