import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Which rows are counted: one that is being asked for, or whose swap has not ended and is followed. Followed is
 * none any more whose channel expired without a deposit, and that of an unknown opening never was.
 */
const definition = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION has_open_channel(swap swaps) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
      SELECT swap.opening = 'requested' OR (
        swap.channel_id IS NOT NULL AND swap.state NOT IN ('completed', 'failed')
        AND swap.next_lookup_at IS NOT NULL
      )
    $$`
})

/**
 * How many open channels each account has, so that a cap costs the same however many swaps there are. Kept by
 * the database itself, in the transaction that changes it: no way of writing a swap can forget it.
 */
const counter = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE accounts ADD COLUMN open_channels integer NOT NULL DEFAULT 0`
  yield* sql`
    CREATE FUNCTION count_open_channel() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        UPDATE accounts SET open_channels = open_channels - 1 WHERE id = OLD.account_id;
      ELSE
        UPDATE accounts
        SET open_channels = open_channels + CASE WHEN has_open_channel(NEW) THEN 1 ELSE -1 END
        WHERE id = NEW.account_id;
      END IF;
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE TRIGGER swaps_channel_asked_for AFTER INSERT ON swaps
    FOR EACH ROW WHEN (has_open_channel(NEW)) EXECUTE FUNCTION count_open_channel()`
  yield* sql`
    CREATE TRIGGER swaps_channel_changed AFTER UPDATE OF opening, state, next_lookup_at ON swaps
    FOR EACH ROW WHEN (has_open_channel(OLD) <> has_open_channel(NEW)) EXECUTE FUNCTION count_open_channel()`
  yield* sql`
    CREATE TRIGGER swaps_channel_deleted AFTER DELETE ON swaps
    FOR EACH ROW WHEN (has_open_channel(OLD)) EXECUTE FUNCTION count_open_channel()`
  yield* sql`
    UPDATE accounts SET open_channels =
      (SELECT count(*) FROM swaps WHERE account_id = accounts.id AND has_open_channel(swaps))`
})

/** An account comes without swaps, an imported one too: each is counted when it comes. */
const beginning = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION begin_without_channels() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.open_channels := 0;
      RETURN NEW;
    END
    $$`
  yield* sql`
    CREATE TRIGGER accounts_begin_without_channels BEFORE INSERT ON accounts
    FOR EACH ROW EXECUTE FUNCTION begin_without_channels()`
})

export default Effect.all([definition, counter, beginning], { discard: true })
