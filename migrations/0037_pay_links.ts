import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The links by which payers see the page of one swap. Only hashes of the tokens are kept. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE pay_links (
      token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
      swap_id bigint NOT NULL REFERENCES swaps (id) ON DELETE CASCADE,
      created_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX pay_links_of_swap ON pay_links (swap_id, created_at)`
})
