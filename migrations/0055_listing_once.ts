import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The listing of a swap is worked out once for its row: `(listing_of(NEW)).*` did it for each of the nine columns. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
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
})
