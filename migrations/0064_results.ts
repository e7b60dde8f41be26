import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Lists by result are read by these. `swap_result` is the rule of `resultOf` (domain/Swap.ts). The indexes follow the
 * record itself, so a version that does not know of results keeps them, too. They order ids by `id - 0`, which no other
 * index knows, so the planner can walk none but them. Only swaps that have ended are in them.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION swap_result(state text, status jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE
        WHEN state = 'failed' THEN CASE
          WHEN coalesce(status #>> '{deposit,failure,mode}', '') = 'GIVEN_UP' THEN 'failed'
          WHEN (status #>> '{refundEgress,amount}')::numeric > 0 AND status #> '{refundEgress,failure}' IS NULL
            AND coalesce(status #> '{refundEgress,transactionReference}', status #> '{refundEgress,witnessedAt}') IS NOT NULL
            THEN 'refunded'
          ELSE 'failed'
        END
        WHEN state <> 'completed' THEN NULL
        WHEN status -> 'refundEgress' IS NULL THEN 'completed'
        WHEN status -> 'swapEgress' IS NULL THEN 'refunded'
        ELSE 'partlyRefunded'
      END
    $$`
  yield* sql`
    CREATE INDEX swaps_results ON swaps (account_id, state, swap_result(state, status), (id - 0))
    WHERE state IN ('completed', 'failed')`
  yield* sql`
    CREATE INDEX swaps_platform_results ON swaps (account_id, platform, state, swap_result(state, status), (id - 0))
    WHERE state IN ('completed', 'failed')`
  yield* sql`
    CREATE INDEX swaps_other_results ON swaps (swap_result(state, status), state, (id - 0))
    WHERE state IN ('completed', 'failed') AND swap_result(state, status) <> 'completed'`
})
