import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Of what the database does to record channels, a quarter was for nothing. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `(listing_of(NEW)).*` worked the listing out for each of its nine columns.
  yield* sql`
    CREATE OR REPLACE FUNCTION write_listing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO listed_swaps SELECT * FROM listing_of(NEW)
      ON CONFLICT (swap_id) DO UPDATE SET
        account_id = EXCLUDED.account_id, platform = EXCLUDED.platform, state = EXCLUDED.state,
        source_asset = EXCLUDED.source_asset, destination_asset = EXCLUDED.destination_asset,
        is_stalled = EXCLUDED.is_stalled, has_open_channel = EXCLUDED.has_open_channel;
      RETURN NULL;
    END
    $$`
  // A new channel has no fees, as a row without a status has none.
  yield* sql`DROP TRIGGER swaps_earnings ON swaps`
  yield* sql`
    CREATE TRIGGER swaps_earnings AFTER UPDATE OF status ON swaps
    FOR EACH ROW WHEN (
      (coalesce(NEW.status -> 'fees', '[]'), NEW.status ->> 'swapId')
        IS DISTINCT FROM (coalesce(OLD.status -> 'fees', '[]'), OLD.status ->> 'swapId')
    ) EXECUTE FUNCTION write_earnings()`
})
