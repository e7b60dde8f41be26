import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { businessSums } from "./0031_business_sums.ts"

/**
 * What the operator's list of all accounts' swaps is filtered by: a narrow row for each visible swap, so that a filter
 * without an index of its own still reads few pages. Kept by the database itself: no way of writing a swap can forget it.
 * Indexes on `swaps` would be written with every look-up; this row changes with the state only.
 */
const listed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE listed_swaps (
      swap_id bigint NOT NULL REFERENCES swaps (id) ON DELETE CASCADE,
      account_id bigint NOT NULL,
      platform text NOT NULL,
      state text NOT NULL,
      source_asset text NOT NULL,
      destination_asset text NOT NULL,
      created_at timestamptz NOT NULL,
      is_stalled boolean NOT NULL,
      has_open_channel boolean NOT NULL
    )`
  // Only opened channels are visible: one that is being asked for counts as open in its account, and has no address.
  yield* sql`
    CREATE FUNCTION listing_of(swap swaps) RETURNS listed_swaps LANGUAGE sql STABLE AS $$
      SELECT swap.id, swap.account_id, swap.platform, swap.state,
        coalesce(swap.status ->> 'sourceAsset', ''), coalesce(swap.status ->> 'destinationAsset', ''),
        swap.created_at, swap.stalled_since IS NOT NULL, coalesce(has_open_channel(swap), false)
    $$`
  yield* sql`
    INSERT INTO listed_swaps
    SELECT listing.* FROM swaps CROSS JOIN LATERAL listing_of(swaps) AS listing WHERE swaps.state IS NOT NULL`
  yield* sql`ALTER TABLE listed_swaps ADD PRIMARY KEY (swap_id)`
  // In the order of `swap_id + 0`, which only these indexes know, and `swap_id - 0`: the planner likes to walk another.
  for (const column of ["account_id", "platform", "source_asset", "destination_asset"]) {
    yield* sql`
      CREATE INDEX ${sql.literal(`listed_swaps_${column}`)}
      ON listed_swaps (${sql.literal(column)}, state, (swap_id + 0))`
  }
  yield* sql`CREATE INDEX listed_swaps_state ON listed_swaps (state, (swap_id - 0))`
  yield* sql`CREATE INDEX listed_swaps_created ON listed_swaps (created_at, swap_id)`
  yield* sql`CREATE INDEX listed_swaps_stalled ON listed_swaps (swap_id) WHERE is_stalled`
  yield* sql`CREATE INDEX listed_swaps_open ON listed_swaps (swap_id) WHERE has_open_channel`
  yield* sql`
    CREATE FUNCTION write_listing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO listed_swaps SELECT (listing_of(NEW)).*
      ON CONFLICT (swap_id) DO UPDATE SET
        account_id = EXCLUDED.account_id, platform = EXCLUDED.platform, state = EXCLUDED.state,
        source_asset = EXCLUDED.source_asset, destination_asset = EXCLUDED.destination_asset,
        is_stalled = EXCLUDED.is_stalled, has_open_channel = EXCLUDED.has_open_channel;
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE TRIGGER swaps_listed AFTER UPDATE OF account_id, state, next_lookup_at, stalled_since ON swaps
    FOR EACH ROW WHEN (NEW.state IS NOT NULL AND (
      (OLD.account_id, OLD.state, OLD.stalled_since IS NULL)
        IS DISTINCT FROM (NEW.account_id, NEW.state, NEW.stalled_since IS NULL)
      OR has_open_channel(OLD) IS DISTINCT FROM has_open_channel(NEW)
    )) EXECUTE FUNCTION write_listing()`
})

/**
 * What a swap is found by besides our own id: every address, transaction, upstream id and channel that was ever seen of
 * it, in lower case and without 0x, so that each spelling finds it. Base58 tells apart what differs in case only, and two
 * such texts would be found together, which by chance never happens.
 */
const marks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION swap_mark(found_by text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT regexp_replace(lower(found_by COLLATE "C"), '^0x', '')
    $$`
  // No row of a swap that has marks is ever deleted, and an index for the check would be larger than the table.
  yield* sql`CREATE TABLE swap_marks (mark text COLLATE "C" NOT NULL, swap_id bigint NOT NULL)`
  // An index takes no text of thousands of characters.
  yield* sql`
    CREATE FUNCTION marks_of(swap swaps) RETURNS TABLE (mark text, swap_id bigint) LANGUAGE sql STABLE AS $$
      SELECT DISTINCT swap_mark(found_by), swap.id
      FROM jsonb_to_record(swap.status) AS told (
        "swapId" text, "destinationAddress" text, "depositChannel" jsonb, deposit jsonb, "fillOrKill" jsonb,
        "swapEgress" jsonb, "refundEgress" jsonb, "fallbackEgress" jsonb
      ), LATERAL (
        SELECT unnest(ARRAY[
          told."swapId", told."destinationAddress", told."fillOrKill" ->> 'refundAddress',
          swap.deposit_address, told."depositChannel" ->> 'depositAddress', told."depositChannel" ->> 'reference',
          swap.issued_block || '-' || swap.network || '-' || swap.channel_id, swap.vault_transaction,
          told.deposit ->> 'transactionReference', told."swapEgress" ->> 'transactionReference',
          told."refundEgress" ->> 'transactionReference', told."fallbackEgress" ->> 'transactionReference',
          told."fallbackEgress" ->> 'destinationAddress'
        ])
        UNION ALL
        SELECT jsonb_array_elements_text(told.deposit -> 'otherTransactionReferences')
      ) AS marks (found_by)
      WHERE found_by <> '' AND length(found_by) <= 256
    $$`
  yield* sql`
    INSERT INTO swap_marks
    SELECT marks.* FROM swaps CROSS JOIN LATERAL marks_of(swaps) AS marks WHERE swaps.state IS NOT NULL
    UNION SELECT swap_mark(transaction_reference), swap_id FROM swap_deposits`
  yield* sql`ALTER TABLE swap_marks ADD PRIMARY KEY (mark, swap_id)`
  yield* sql`
    CREATE FUNCTION write_marks() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO swap_marks SELECT * FROM marks_of(NEW) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END
    $$`
  // A look-up that brings nothing new writes the status too, with the time of the upstream's last update alone.
  yield* sql`
    CREATE TRIGGER swaps_marks AFTER UPDATE OF status ON swaps
    FOR EACH ROW WHEN (
      NEW.status - 'lastStateChainUpdateAt' IS DISTINCT FROM OLD.status - 'lastStateChainUpdateAt'
    ) EXECUTE FUNCTION write_marks()`
})

/** New rows are written together, however many a statement brings: an import brings hundreds at a time. */
const together = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP TRIGGER swaps_commissions ON swaps`
  yield* sql`
    CREATE TRIGGER swaps_commissions AFTER UPDATE OF status ON swaps
    FOR EACH ROW WHEN (NEW.state = 'completed') EXECUTE FUNCTION write_commissions()`
  yield* sql`
    CREATE FUNCTION write_visible() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE visible swaps[] := ARRAY(
      SELECT swaps FROM swaps JOIN written USING (id) WHERE written.state IS NOT NULL ORDER BY id
    );
    BEGIN
      IF cardinality(visible) = 0 THEN RETURN NULL; END IF;
      INSERT INTO commissions
      SELECT earned.* FROM unnest(visible) AS swap CROSS JOIN LATERAL earned_by(swap) AS earned;
      INSERT INTO swap_ends
      SELECT ended.* FROM unnest(visible) AS swap CROSS JOIN LATERAL end_of(swap) AS ended;
      INSERT INTO listed_swaps
      SELECT listing.* FROM unnest(visible) AS swap CROSS JOIN LATERAL listing_of(swap) AS listing;
      INSERT INTO swap_marks
      SELECT marks.* FROM unnest(visible) AS swap CROSS JOIN LATERAL marks_of(swap) AS marks ON CONFLICT DO NOTHING;
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE TRIGGER swaps_written AFTER INSERT ON swaps REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION write_visible()`
})

export default Effect.all([listed, marks, businessSums, together], { discard: true })
