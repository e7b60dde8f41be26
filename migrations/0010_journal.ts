import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Who looks a swap up at present: nobody else writes what it finds. And until when a state may last, with since
 * when one lasts longer. The number of the latest look-up that was stored has no use any more.
 */
const swaps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE swaps
      DROP COLUMN lookup_stored,
      ADD COLUMN lookup_owner text,
      ADD COLUMN stalls_at timestamptz,
      ADD COLUMN stalled_since timestamptz`
  // How long the states that swaps are in at present may last was never written down.
  yield* sql`
    UPDATE swaps SET stalls_at = updated_at + interval '1 day'
    WHERE next_lookup_at IS NOT NULL AND state IN ('receiving', 'swapping', 'sending', 'sent')`
  // Each provider's swaps are claimed by themselves.
  yield* sql`DROP INDEX swaps_due`
  yield* sql`CREATE INDEX swaps_due ON swaps (platform, next_lookup_at) WHERE next_lookup_at IS NOT NULL`
  yield* sql`
    CREATE INDEX swaps_stalling ON swaps (stalls_at) WHERE stalls_at IS NOT NULL AND stalled_since IS NULL`
  yield* sql`CREATE INDEX swaps_stalled ON swaps (platform, stalled_since) WHERE stalled_since IS NOT NULL`
})

/**
 * What happened to each swap, in order, with what its upstream said: a row for each change, which the database
 * itself refuses to alter. Swaps from before begin with what was known of them.
 */
const journal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE swap_journal (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      swap_id bigint NOT NULL REFERENCES swaps (id),
      kind text NOT NULL
        CHECK (kind IN ('opened', 'found', 'imported', 'changed', 'expired', 'contradicted', 'stalled')),
      recorded_at timestamptz NOT NULL,
      status jsonb,
      detail text,
      body text,
      body_length integer,
      CHECK ((kind = 'stalled') = (status IS NULL)),
      CHECK ((kind IN ('contradicted', 'stalled')) = (detail IS NOT NULL)),
      CHECK ((body IS NULL) = (body_length IS NULL))
    )`
  yield* sql`
    INSERT INTO swap_journal (swap_id, kind, recorded_at, status)
    SELECT id, 'imported', updated_at, status FROM swaps WHERE status IS NOT NULL ORDER BY id`
  yield* sql`CREATE INDEX swap_journal_of ON swap_journal (swap_id, id)`
  yield* sql`
    CREATE FUNCTION refuse_to_alter_the_journal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'The journal of swaps is append-only: % is refused', TG_OP;
    END
    $$`
  yield* sql`
    CREATE TRIGGER swap_journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON swap_journal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_alter_the_journal()`
})

/** What accounts are told of, in the order in which it happened to each of them. */
const outbox = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE outbox (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id bigint NOT NULL REFERENCES accounts (id),
      swap_id bigint NOT NULL REFERENCES swaps (id),
      type text NOT NULL,
      payload text NOT NULL,
      created_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX outbox_of_account ON outbox (account_id, id)`
})

export default Effect.all([swaps, journal, outbox], { discard: true })
