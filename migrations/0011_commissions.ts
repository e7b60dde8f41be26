import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What each swap that paid out earned, and on which day (UTC). A channel can be used again, which overwrites its
 * status: what an earlier swap of it earned stays here.
 */
const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE commissions (
      swap_id bigint NOT NULL REFERENCES swaps (id),
      upstream_swap text NOT NULL,
      asset text NOT NULL,
      account_id bigint NOT NULL REFERENCES accounts (id),
      earned_on date NOT NULL,
      amount numeric(78, 0) NOT NULL CHECK (amount > 0),
      PRIMARY KEY (swap_id, upstream_swap, asset)
    )`
  yield* sql`CREATE INDEX commissions_of ON commissions (account_id, earned_on, asset) INCLUDE (amount)`
})

/**
 * What a swap has earned: its broker fees, as the upstream reports them, once it is completed with a payment
 * out. The day is that of the payment: when it was seen on its chain, else when it was begun, else when the
 * upstream, or at last we, knew of it.
 */
const reading = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION earned_by(swap swaps) RETURNS SETOF commissions LANGUAGE sql STABLE AS $$
      SELECT
        swap.id,
        coalesce(swap.status ->> 'swapId', ''),
        fee ->> 'asset',
        swap.account_id,
        (coalesce(
          to_timestamp(coalesce(
            swap.status #>> '{swapEgress,witnessedAt}', swap.status #>> '{swapEgress,scheduledAt}',
            swap.status #>> '{fallbackEgress,witnessedAt}', swap.status #>> '{fallbackEgress,scheduledAt}',
            swap.status ->> 'lastStateChainUpdateAt'
          )::double precision / 1000),
          swap.updated_at
        ) AT TIME ZONE 'UTC')::date,
        sum((fee ->> 'amount')::numeric)
      FROM jsonb_array_elements(swap.status -> 'fees') AS fee
      WHERE swap.state = 'completed'
        AND coalesce(swap.status -> 'swapEgress', swap.status -> 'fallbackEgress') IS NOT NULL
        AND fee ->> 'type' = 'broker'
      GROUP BY fee ->> 'asset'
      HAVING sum((fee ->> 'amount')::numeric) > 0
    $$`
})

/** Written with the status that tells of it, whoever writes that. */
const writing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION write_commissions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO commissions SELECT * FROM earned_by(NEW)
      ON CONFLICT (swap_id, upstream_swap, asset)
      DO UPDATE SET earned_on = EXCLUDED.earned_on, amount = EXCLUDED.amount
      WHERE (commissions.earned_on, commissions.amount)
        IS DISTINCT FROM (EXCLUDED.earned_on, EXCLUDED.amount);
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE TRIGGER swaps_commissions AFTER INSERT OR UPDATE OF status ON swaps
    FOR EACH ROW WHEN (NEW.state = 'completed') EXECUTE FUNCTION write_commissions()`
  yield* sql`
    INSERT INTO commissions
    SELECT earned.* FROM swaps CROSS JOIN LATERAL earned_by(swaps) AS earned WHERE state = 'completed'`
})

export default Effect.all([table, reading, writing], { discard: true })
