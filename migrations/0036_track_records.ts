import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What a provider's track record is read of: each end knows its provider, both assets and the seconds from the deposit to
 * the payout, where the upstream told both times. The index leads to the latest ends of each pair.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE swap_ends ADD COLUMN provider text NOT NULL DEFAULT '',
      ADD COLUMN destination_asset text NOT NULL DEFAULT '', ADD COLUMN seconds integer`
  yield* sql`
    CREATE OR REPLACE FUNCTION end_of(swap swaps) RETURNS SETOF swap_ends LANGUAGE sql STABLE AS $$
      SELECT swap.id, coalesce(swap.status ->> 'swapId', ''), swap.account_id,
        CASE
          WHEN swap.state = 'completed' THEN
            CASE WHEN told.refund IS NOT NULL AND told.output IS NULL THEN 'refunded' ELSE 'completed' END
          WHEN (told.refund ->> 'amount')::numeric > 0 AND told.refund -> 'failure' IS NULL
            AND coalesce(told.refund -> 'transactionReference', told.refund -> 'witnessedAt') IS NOT NULL
            THEN 'refunded'
          ELSE 'failed'
        END,
        coalesce(swap.status ->> 'sourceAsset', ''),
        coalesce((swap.status #>> '{deposit,amount}')::numeric, 0),
        coalesce(swap.changed_at, swap.updated_at),
        swap.platform,
        coalesce(swap.status ->> 'destinationAsset', ''),
        CASE WHEN swap.state = 'completed' THEN least(greatest(
          ((told.output ->> 'witnessedAt')::numeric - (swap.status #>> '{deposit,witnessedAt}')::numeric) / 1000, 0
        ), 2147483647)::integer END
      FROM (SELECT swap.status -> 'swapEgress' AS output, swap.status -> 'refundEgress' AS refund) AS told
      WHERE swap.state IN ('completed', 'failed')
    $$`
  yield* sql`
    CREATE OR REPLACE FUNCTION write_end() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND OLD.state IN ('completed', 'failed') AND NEW.state NOT IN ('completed', 'failed') THEN
        DELETE FROM swap_ends
        WHERE swap_id = NEW.id AND upstream_swap = coalesce(NEW.status ->> 'swapId', '');
      END IF;
      INSERT INTO swap_ends AS known SELECT * FROM end_of(NEW)
      ON CONFLICT (swap_id, upstream_swap) DO UPDATE SET
        outcome = EXCLUDED.outcome, asset = EXCLUDED.asset, amount = EXCLUDED.amount,
        ended_at = CASE WHEN known.outcome = EXCLUDED.outcome THEN known.ended_at ELSE EXCLUDED.ended_at END,
        provider = EXCLUDED.provider, destination_asset = EXCLUDED.destination_asset, seconds = EXCLUDED.seconds
      WHERE (known.outcome, known.asset, known.amount, known.seconds)
        IS DISTINCT FROM (EXCLUDED.outcome, EXCLUDED.asset, EXCLUDED.amount, EXCLUDED.seconds);
      RETURN NULL;
    END
    $$`
  // The sums say the same afterwards: what they are made of does not change.
  yield* sql`ALTER TABLE swap_ends DISABLE TRIGGER USER`
  yield* sql`
    UPDATE swap_ends SET provider = ended.provider, destination_asset = ended.destination_asset, seconds = ended.seconds
    FROM swaps CROSS JOIN LATERAL end_of(swaps) AS ended
    WHERE swaps.id = swap_ends.swap_id AND swaps.state IN ('completed', 'failed')
      AND ended.upstream_swap = swap_ends.upstream_swap`
  yield* sql`ALTER TABLE swap_ends ENABLE TRIGGER USER`
  yield* sql`
    CREATE INDEX swap_ends_of_pair ON swap_ends (provider, asset, destination_asset, ended_at DESC)
    INCLUDE (outcome, seconds)`
})
