import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the swaps of an account come to in a day of UTC. Openings and payloads add their expected amount where the
 * volume is limited (`VolumesRepo`); the database adds what deposits to channels bring beyond that amount, at the price of
 * the hour. An account that has never had a limit is not written to. A day that a clock ahead has begun goes on.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE accounts ADD COLUMN volume_day date, ADD COLUMN volume_usd numeric NOT NULL DEFAULT 0`
  yield* sql`
    CREATE FUNCTION utc_day(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS $$
      SELECT (at AT TIME ZONE 'UTC')::date
    $$`
  yield* sql`
    CREATE FUNCTION volume_of_day(account accounts, at timestamptz) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE WHEN account.volume_day >= utc_day(at) THEN account.volume_usd ELSE 0 END
    $$`
  // What arrives in another asset is fixed; of a further deposit to a channel nothing was expected.
  yield* sql`
    CREATE FUNCTION beyond_expected(swap swaps) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE
        WHEN swap.shares_channel THEN deposit
        WHEN jsonb_typeof(swap.request -> 'amount') = 'object' THEN 0
        ELSE greatest(deposit - coalesce((swap.request ->> 'amount')::numeric, 0), 0)
      END FROM (SELECT coalesce((swap.status #>> '{deposit,amount}')::numeric, 0) AS deposit) AS seen
    $$`
  yield* sql`
    CREATE FUNCTION count_deposit() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      more numeric := beyond_expected(NEW) - CASE TG_OP WHEN 'UPDATE' THEN beyond_expected(OLD) ELSE 0 END;
    BEGIN
      IF more > 0 THEN
        UPDATE accounts SET
          volume_usd = volume_of_day(accounts, NEW.updated_at)
            + coalesce(value_of(NEW.status ->> 'sourceAsset', more, NEW.updated_at), 0),
          volume_day = greatest(volume_day, utc_day(NEW.updated_at))
        WHERE id = NEW.account_id AND volume_day IS NOT NULL;
      END IF;
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE TRIGGER swaps_deposit_seen AFTER UPDATE OF status ON swaps FOR EACH ROW
    WHEN (NEW.channel_id IS NOT NULL AND OLD.status #> '{deposit,amount}' IS DISTINCT FROM NEW.status #> '{deposit,amount}')
    EXECUTE FUNCTION count_deposit()`
  yield* sql`
    CREATE TRIGGER swaps_further_deposit AFTER INSERT ON swaps FOR EACH ROW
    WHEN (NEW.channel_id IS NOT NULL AND NEW.status #> '{deposit,amount}' IS NOT NULL)
    EXECUTE FUNCTION count_deposit()`
})
