import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * An account's history by asset. `other_result` is the result where the state does not tell it: of refunds, whole or in
 * part. Only these rows are written for it. The indexes order ids by `swap_id * 1`, which no other index knows, so the
 * planner can walk none but them, and text by its bytes, as the rules of languages take three times as long.
 */
const assets = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION other_result(state text, status jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(nullif(swap_result(state, status), state), '')
    $$`
  yield* sql`ALTER TABLE listed_swaps ADD COLUMN other_result text NOT NULL DEFAULT ''`
  for (const result of ["refunded", "partlyRefunded"]) {
    yield* sql`
      UPDATE listed_swaps SET other_result = ${sql.literal(`'${result}'`)} FROM swaps
      WHERE swaps.id = swap_id AND swaps.state IN ('completed', 'failed')
        AND swap_result(swaps.state, status) <> 'completed'
        AND swap_result(swaps.state, status) = ${sql.literal(`'${result}'`)}`
  }
  yield* sql`
    CREATE OR REPLACE FUNCTION listing_of(swap swaps) RETURNS listed_swaps LANGUAGE sql STABLE AS $$
      SELECT swap.id, swap.account_id, swap.platform, swap.state,
        coalesce(swap.status ->> 'sourceAsset', ''), coalesce(swap.status ->> 'destinationAsset', ''),
        swap.created_at, swap.stalled_since IS NOT NULL, coalesce(has_open_channel(swap), false),
        other_result(swap.state, swap.status)
    $$`
  yield* sql`
    CREATE OR REPLACE FUNCTION write_listing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO listed_swaps SELECT * FROM listing_of(NEW)
      ON CONFLICT (swap_id) DO UPDATE SET
        account_id = EXCLUDED.account_id, platform = EXCLUDED.platform, state = EXCLUDED.state,
        source_asset = EXCLUDED.source_asset, destination_asset = EXCLUDED.destination_asset,
        is_stalled = EXCLUDED.is_stalled, has_open_channel = EXCLUDED.has_open_channel,
        other_result = EXCLUDED.other_result;
      RETURN NULL;
    END
    $$`
  const inC = (columns: ReadonlyArray<string>) => columns.map((column) => `${column} COLLATE "C"`).join()
  for (
    const [name, columns] of [
      ["source", ["source_asset"]],
      ["destination", ["destination_asset"]],
      ["pair", ["source_asset", "destination_asset"]],
    ] as const
  ) {
    yield* sql`
      CREATE INDEX ${sql.literal(`listed_swaps_of_${name}`)} ON listed_swaps
      (account_id, ${sql.literal(inC([...columns, "platform", "state", "other_result"]))}, (swap_id * 1))`
  }
})

/**
 * An account's history by address: a row for each address of a swap, with what the history is filtered by beside it, so
 * that an address that most swaps have is filtered as fast as a rare one. An address is kept in the spelling that all of
 * its spellings come to: those that differ in case alone are in small letters, without 0x or another prefix.
 */
const addresses = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION swap_address(spelled text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT regexp_replace(
        CASE WHEN spelled ~ '^0x' OR spelled = upper(spelled COLLATE "C") THEN lower(spelled COLLATE "C") ELSE spelled END,
        '^(0x|[a-z]+:)', ''
      )
    $$`
  /** The addresses of a row of `swaps` as `told`. The status is unpacked once, each address worked out once. */
  const addressesIn = (row: string) =>
    sql.literal(`LATERAL (
        SELECT swap_address("destinationAddress") AS one, swap_address("fillOrKill" ->> 'refundAddress') AS two,
          swap_address("depositChannel" ->> 'depositAddress') AS three
        FROM jsonb_to_record(${row}.status)
          AS told ("destinationAddress" text, "fillOrKill" jsonb, "depositChannel" jsonb) OFFSET 0
      ) AS told`)
  const eachOnce = sql.literal(
    "unnest(ARRAY[one, nullif(two, one), nullif(nullif(three, one), two)]) AS address",
  )
  const isKept = sql.literal("address <> '' AND length(address) <= 256")
  // Several processes make it at once, as they may not insert into a table that exists.
  yield* sql`
    CREATE TABLE swap_addresses AS
    SELECT account_id, address COLLATE "C" AS address, source_asset COLLATE "C" AS source_asset,
      destination_asset COLLATE "C" AS destination_asset, platform COLLATE "C" AS platform,
      state COLLATE "C" AS state, other_result COLLATE "C" AS other_result, swap_id
    FROM (
      SELECT listed.*, ${eachOnce} FROM swaps JOIN listed_swaps AS listed ON swap_id = swaps.id, ${
    addressesIn("swaps")
  }
    ) AS made WHERE ${isKept}`
  yield* sql`
    ALTER TABLE swap_addresses ADD PRIMARY KEY
      (account_id, address, source_asset, destination_asset, platform, state, other_result, swap_id)`
  yield* sql`
    CREATE FUNCTION addresses_of(swap swaps) RETURNS SETOF swap_addresses LANGUAGE sql STABLE ROWS 3 AS $$
      SELECT swap.account_id, address, coalesce(swap.status ->> 'sourceAsset', ''),
        coalesce(swap.status ->> 'destinationAsset', ''), swap.platform, swap.state,
        other_result(swap.state, swap.status), swap.id
      FROM (SELECT ${eachOnce} FROM ${
    addressesIn("swap")
  } WHERE swap.state IS NOT NULL) AS made WHERE ${isKept}
    $$`
  yield* sql`
    CREATE FUNCTION write_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        DELETE FROM swap_addresses AS kept USING addresses_of(OLD) AS former
        WHERE kept.account_id = former.account_id AND kept.address = former.address
          AND kept.source_asset = former.source_asset AND kept.destination_asset = former.destination_asset
          AND kept.platform = former.platform AND kept.state = former.state
          AND kept.other_result = former.other_result AND kept.swap_id = former.swap_id;
        UPDATE listed_swaps SET other_result = other_result(NEW.state, NEW.status)
        WHERE swap_id = NEW.id AND listed_swaps.other_result <> other_result(NEW.state, NEW.status);
      END IF;
      INSERT INTO swap_addresses SELECT * FROM addresses_of(NEW) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE TRIGGER swaps_addresses_written AFTER INSERT ON swaps
    FOR EACH ROW WHEN (NEW.state IS NOT NULL) EXECUTE FUNCTION write_addresses()`
  const facts = (row: string) =>
    sql.literal(
      `(${row}.account_id, ${row}.state, other_result(${row}.state, ${row}.status), ${row}.status ->> 'destinationAddress',
        ${row}.status #>> '{fillOrKill,refundAddress}', ${row}.status #>> '{depositChannel,depositAddress}')`,
    )
  yield* sql`
    CREATE TRIGGER swaps_addresses AFTER UPDATE OF account_id, state, status ON swaps
    FOR EACH ROW WHEN (NEW.state IS NOT NULL AND ${facts("NEW")} IS DISTINCT FROM ${facts("OLD")})
    EXECUTE FUNCTION write_addresses()`
})

/** No swap changes before the triggers see it. */
const lock = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`LOCK TABLE swaps IN SHARE ROW EXCLUSIVE MODE`)

export default Effect.all([lock, assets, addresses], { discard: true })
