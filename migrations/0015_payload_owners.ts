import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Payloads get the mark that their provider knows their swaps by, and go stale. Those from before have none, and are
 * stale three days after they were handed out, when vaults have rotated.
 */
const payloads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE vault_swap_payloads ADD COLUMN mark text, ADD COLUMN expires_at timestamptz`
  yield* sql`UPDATE vault_swap_payloads SET expires_at = created_at + interval '3 days'`
  yield* sql`ALTER TABLE vault_swap_payloads ALTER COLUMN expires_at SET NOT NULL`
  // Two payloads that differ in their marks alone are two.
  yield* sql`DROP INDEX vault_swap_payloads_alike`
  yield* sql`
    CREATE UNIQUE INDEX vault_swap_payloads_alike ON vault_swap_payloads
      (account_id, platform, source_asset, destination_asset, destination, refund, terms, price_limit, amount,
        coalesce(mark, ''))`
})

/** The contract or program of each chain that a platform's first payload there called. */
const recipients = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payload_recipients (
      platform text NOT NULL,
      chain text NOT NULL,
      recipient text NOT NULL,
      first_seen timestamptz NOT NULL,
      PRIMARY KEY (platform, chain)
    )`
})

/**
 * Until when an answer may be told again. Answers to requests that opened no channel are payloads; those from before
 * count as an hour old enough.
 */
const answers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE idempotency_keys ADD COLUMN answer_stale_at timestamptz`
  yield* sql`
    UPDATE idempotency_keys SET answer_stale_at = claimed_at + interval '1 hour'
    WHERE swap_id IS NULL AND answer_status = 200`
})

/** A swap that the operator moves to another account takes its open channel along. */
const moves = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION move_open_channel() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE accounts
      SET open_channels = open_channels + CASE WHEN id = NEW.account_id THEN 1 ELSE -1 END
      WHERE id IN (OLD.account_id, NEW.account_id);
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE TRIGGER swaps_channel_moved AFTER UPDATE OF account_id ON swaps
    FOR EACH ROW WHEN (OLD.account_id <> NEW.account_id AND has_open_channel(NEW))
    EXECUTE FUNCTION move_open_channel()`
})

export default Effect.all([payloads, recipients, answers, moves], { discard: true })
