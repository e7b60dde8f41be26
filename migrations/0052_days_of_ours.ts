import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Commission counts on the day of its payment, and at the latest on that on which we knew of it: an upstream whose clock
 * is ahead of ours, as those of simulated networks are, would date it to days that no sum up to the present has.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION paid_at(swap swaps) RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT least(
        to_timestamp(coalesce(
          swap.status #>> '{swapEgress,witnessedAt}', swap.status #>> '{swapEgress,scheduledAt}',
          swap.status #>> '{fallbackEgress,witnessedAt}', swap.status #>> '{fallbackEgress,scheduledAt}',
          swap.status ->> 'lastStateChainUpdateAt'
        )::double precision / 1000),
        coalesce(swap.changed_at, swap.updated_at)
      )
    $$`
  yield* sql`
    CREATE OR REPLACE FUNCTION earned_by(swap swaps) RETURNS SETOF commissions LANGUAGE sql STABLE AS $$
      SELECT
        swap.id, coalesce(swap.status ->> 'swapId', ''), fee ->> 'asset', swap.account_id,
        (paid.at AT TIME ZONE 'UTC')::date,
        coalesce(sum((fee ->> 'amount')::numeric) FILTER (WHERE fee ->> 'type' = 'broker'), 0), paid.at,
        coalesce(sum((fee ->> 'amount')::numeric) FILTER (WHERE fee ->> 'type' = 'provider'), 0),
        coalesce(bool_or((fee ->> 'isEstimate')::boolean), false)
      FROM jsonb_array_elements(swap.status -> 'fees') AS fee, LATERAL (SELECT paid_at(swap) AS at) AS paid
      WHERE swap.state = 'completed'
        AND coalesce(swap.status -> 'swapEgress', swap.status -> 'fallbackEgress') IS NOT NULL
        AND fee ->> 'type' IN ('broker', 'provider')
      GROUP BY fee ->> 'asset', paid.at
      HAVING sum((fee ->> 'amount')::numeric) > 0
    $$`
})
