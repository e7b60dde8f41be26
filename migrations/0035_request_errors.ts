import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How often requests of an account failed: a row for each hour, endpoint, status, code and kind of failure. An absent
 * `code` is empty text, as a key cannot be null.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE request_errors (
      account_id bigint NOT NULL REFERENCES accounts (id),
      hour timestamptz NOT NULL,
      endpoint text NOT NULL,
      status integer NOT NULL,
      code text NOT NULL,
      kind text NOT NULL,
      count bigint NOT NULL,
      last_at timestamptz NOT NULL,
      parameters text[] NOT NULL,
      example text NOT NULL,
      PRIMARY KEY (account_id, hour, endpoint, status, code, kind)
    )`
  yield* sql`CREATE INDEX request_errors_hour ON request_errors (hour)`
})
