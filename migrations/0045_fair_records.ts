import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Track records tell what the provider did, and let no account decide alone. An end knows whether the account's own terms
 * or payment led to it (`is_own`): a price limit that was not met, dust, a late or barred payment. `seconds` is of swaps
 * alone that paid out, where the upstream told both times: a refund has none. The index leads to the latest ends of each
 * account and pair.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE swap_ends ADD COLUMN is_own boolean NOT NULL DEFAULT false`
  yield* sql`
    CREATE OR REPLACE FUNCTION end_of(swap swaps) RETURNS SETOF swap_ends LANGUAGE sql STABLE AS $$
      SELECT swap.id, coalesce(swap.status ->> 'swapId', ''), swap.account_id, ended.outcome,
        coalesce(swap.status ->> 'sourceAsset', ''),
        coalesce((swap.status #>> '{deposit,amount}')::numeric, 0),
        coalesce(swap.changed_at, swap.updated_at),
        swap.platform,
        coalesce(swap.status ->> 'destinationAsset', ''),
        CASE WHEN ended.outcome = 'completed' AND told.paid_after >= 0
          THEN least(told.paid_after / 1000, 2147483647)::integer END,
        ended.outcome <> 'completed' AND (
          told.aborted IN ('MinPriceViolation', 'OraclePriceSlippageExceeded', 'PRICE_MOVED', 'SLIPPAGE',
            'LATE_DEPOSIT', 'TTL_EXPIRED',
            'The network sends it back: the price limit, or a halt, kept it from being swapped')
          OR told.refused IN ('BelowMinimumDeposit', 'NotEnoughToPayFees', 'NothingPaid', 'BLOCKED_WALLET',
            'PRICE_MOVED', 'SLIPPAGE', 'LATE_DEPOSIT', 'TTL_EXPIRED')
          OR told.output #>> '{failure,mode}' = 'SWAP_OUTPUT_TOO_SMALL'
          OR told.refund #>> '{failure,mode}' = 'REFUND_OUTPUT_TOO_SMALL'
        ) IS TRUE
      FROM (
        SELECT swap.status -> 'swapEgress' AS output, swap.status -> 'refundEgress' AS refund,
          (swap.status #>> '{swapEgress,witnessedAt}')::numeric - (swap.status #>> '{deposit,witnessedAt}')::numeric
            AS paid_after,
          coalesce(swap.status #>> '{swap,execution,chunk,abortedReason}',
            swap.status #>> '{swap,execution,currentChunk,abortedReason}') AS aborted,
          swap.status #>> '{deposit,failure,reason,code}' AS refused
      ) AS told
      CROSS JOIN LATERAL (
        SELECT CASE
          WHEN swap.state = 'completed' THEN
            CASE WHEN told.refund IS NOT NULL AND told.output IS NULL THEN 'refunded' ELSE 'completed' END
          WHEN (told.refund ->> 'amount')::numeric > 0 AND told.refund -> 'failure' IS NULL
            AND coalesce(told.refund -> 'transactionReference', told.refund -> 'witnessedAt') IS NOT NULL
            THEN 'refunded'
          ELSE 'failed'
        END AS outcome
      ) AS ended
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
        provider = EXCLUDED.provider, destination_asset = EXCLUDED.destination_asset, seconds = EXCLUDED.seconds,
        is_own = EXCLUDED.is_own
      WHERE (known.outcome, known.asset, known.amount, known.seconds, known.is_own)
        IS DISTINCT FROM (EXCLUDED.outcome, EXCLUDED.asset, EXCLUDED.amount, EXCLUDED.seconds, EXCLUDED.is_own);
      RETURN NULL;
    END
    $$`
  // The sums say the same afterwards: what they are made of does not change.
  yield* sql`ALTER TABLE swap_ends DISABLE TRIGGER USER`
  yield* sql`
    UPDATE swap_ends SET seconds = ended.seconds, is_own = ended.is_own
    FROM swaps CROSS JOIN LATERAL end_of(swaps) AS ended
    WHERE swaps.id = swap_ends.swap_id AND swaps.state IN ('completed', 'failed')
      AND ended.upstream_swap = swap_ends.upstream_swap`
  // Of ends that swaps have no more, because a later deposit took their place, nothing but the outcome is known.
  yield* sql`UPDATE swap_ends SET seconds = NULL WHERE outcome <> 'completed'`
  yield* sql`ALTER TABLE swap_ends ENABLE TRIGGER USER`
  yield* sql`
    CREATE INDEX swap_ends_of_account ON swap_ends (provider, asset, destination_asset, account_id, ended_at DESC)
    INCLUDE (outcome, seconds, is_own)`
  yield* sql`DROP INDEX swap_ends_of_pair`
})
