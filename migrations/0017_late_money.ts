import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When the status last became another one, and when its upstream was last asked, whatever came of it. */
const times = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE swaps ADD COLUMN changed_at timestamptz, ADD COLUMN asked_at timestamptz`
  // A swap that is no longer followed was last written when it ended. Of the others nobody knows: they begin anew.
  yield* sql`UPDATE swaps SET changed_at = updated_at WHERE state IS NOT NULL`
})

/** A channel that expired without a deposit is asked for still, but it is not open any more. */
const counting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE OR REPLACE FUNCTION has_open_channel(swap swaps) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
      SELECT swap.opening = 'requested' OR (
        swap.channel_id IS NOT NULL AND swap.state NOT IN ('completed', 'failed')
        AND swap.next_lookup_at IS NOT NULL
        AND (swap.state <> 'waiting' OR swap.status #>> '{depositChannel,isExpired}' IS DISTINCT FROM 'true')
      )
    $$`
})

/**
 * Swaps that nobody asks for any more although no payment proves their end are asked for again: once at least, and
 * for as long as others that are quiet. Spread over a day, so that the swaps that move are not held up by them.
 */
const takeUp = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE swaps SET next_lookup_at = now() + random() * interval '1 day'
    WHERE opening = 'opened' AND next_lookup_at IS NULL AND (
      state <> 'completed' OR coalesce(
        status #>> '{swapEgress,transactionReference}', status #>> '{refundEgress,transactionReference}',
        status #>> '{fallbackEgress,transactionReference}'
      ) IS NULL
    )`
  yield* sql`
    UPDATE accounts SET open_channels = coalesce(counted.channels, 0)
    FROM accounts AS every LEFT JOIN (
      SELECT account_id, count(*) AS channels FROM swaps WHERE has_open_channel(swaps) GROUP BY account_id
    ) AS counted ON counted.account_id = every.id
    WHERE accounts.id = every.id`
})

export default Effect.all([times, counting, takeUp], { discard: true })
