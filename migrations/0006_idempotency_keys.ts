import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Until when the process that asks for a channel has certainly come to an end with it: after that a row which
 * still says "requested" is one of a process that is gone, whichever replica looks at it.
 */
const leases = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE swaps ADD COLUMN opening_lease_until timestamptz`
  yield* sql`
    UPDATE swaps SET opening_lease_until = created_at + interval '5 minutes' WHERE opening = 'requested'`
  yield* sql`ALTER TABLE swaps ADD CHECK (opening <> 'requested' OR opening_lease_until IS NOT NULL)`
  yield* sql`DROP INDEX swaps_requested`
  yield* sql`CREATE INDEX swaps_requested ON swaps (opening_lease_until) WHERE opening = 'requested'`
})

/**
 * What each `Idempotency-Key` was used for. A request that opens a channel has its row in `swaps`, written in
 * the same statement, whose lease is also the key's; any other has a lease here until it is answered.
 */
const keys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE idempotency_keys (
      account_id bigint NOT NULL REFERENCES accounts (id),
      key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
      fingerprint text NOT NULL CHECK (length(fingerprint) = 64),
      swap_id bigint UNIQUE REFERENCES swaps (id),
      lease_until timestamptz,
      answer_status integer,
      answer_body text,
      claimed_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (account_id, key),
      CHECK ((answer_status IS NULL) = (answer_body IS NULL)),
      CHECK (swap_id IS NULL OR lease_until IS NULL),
      CHECK (answer_status IS NOT NULL OR swap_id IS NOT NULL OR lease_until IS NOT NULL)
    )`
  yield* sql`CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at)`
})

export default Effect.andThen(leases, keys)
