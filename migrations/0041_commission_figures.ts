import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Commission is told in all its figures: `amount` is what the operator receives, `kept` what the provider keeps of what the
 * payer is charged with it, and `is_estimate` says that the provider does not tell some of it. Swaps of which nothing is
 * received count too, where something is kept.
 */
const figures = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE commissions
      ADD COLUMN kept numeric(78, 0) NOT NULL DEFAULT 0 CHECK (kept >= 0),
      ADD COLUMN is_estimate boolean NOT NULL DEFAULT false,
      DROP CONSTRAINT commissions_amount_check,
      ADD CHECK (amount >= 0 AND amount + kept > 0)`
  yield* sql`
    CREATE OR REPLACE FUNCTION earned_by(swap swaps) RETURNS SETOF commissions LANGUAGE sql STABLE AS $$
      SELECT
        swap.id, coalesce(swap.status ->> 'swapId', ''), fee ->> 'asset', swap.account_id,
        (paid.at AT TIME ZONE 'UTC')::date,
        coalesce(sum((fee ->> 'amount')::numeric) FILTER (WHERE fee ->> 'type' = 'broker'), 0), paid.at,
        coalesce(sum((fee ->> 'amount')::numeric) FILTER (WHERE fee ->> 'type' = 'provider'), 0),
        coalesce(bool_or((fee ->> 'isEstimate')::boolean), false)
      FROM jsonb_array_elements(swap.status -> 'fees') AS fee, LATERAL (
        SELECT coalesce(
          to_timestamp(coalesce(
            swap.status #>> '{swapEgress,witnessedAt}', swap.status #>> '{swapEgress,scheduledAt}',
            swap.status #>> '{fallbackEgress,witnessedAt}', swap.status #>> '{fallbackEgress,scheduledAt}',
            swap.status ->> 'lastStateChainUpdateAt'
          )::double precision / 1000),
          swap.updated_at
        ) AS at
      ) AS paid
      WHERE swap.state = 'completed'
        AND coalesce(swap.status -> 'swapEgress', swap.status -> 'fallbackEgress') IS NOT NULL
        AND fee ->> 'type' IN ('broker', 'provider')
      GROUP BY fee ->> 'asset', paid.at
      HAVING sum((fee ->> 'amount')::numeric) > 0
    $$`
  yield* sql`
    CREATE OR REPLACE FUNCTION write_commissions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO commissions SELECT * FROM earned_by(NEW)
      ON CONFLICT (swap_id, upstream_swap, asset) DO UPDATE SET
        earned_on = EXCLUDED.earned_on, amount = EXCLUDED.amount, earned_at = EXCLUDED.earned_at,
        kept = EXCLUDED.kept, is_estimate = EXCLUDED.is_estimate
      WHERE (commissions.earned_on, commissions.amount, commissions.kept, commissions.is_estimate)
        IS DISTINCT FROM (EXCLUDED.earned_on, EXCLUDED.amount, EXCLUDED.kept, EXCLUDED.is_estimate);
      RETURN NULL;
    END
    $$`
})

/** The sums of a day have all figures, those of an hour only what is received. */
const sums = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE commission_days
      ADD COLUMN kept numeric NOT NULL DEFAULT 0,
      ADD COLUMN estimates bigint NOT NULL DEFAULT 0 CHECK (estimates >= 0)`
  yield* sql`
    CREATE OR REPLACE FUNCTION add_to_days(added commission_days[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO commission_days AS known
      SELECT account_id, day, asset, platform, sum(amount), sum(swaps), sum(kept), sum(estimates)
      FROM unnest(added) GROUP BY 1, 2, 3, 4
      ON CONFLICT (account_id, day, asset, platform) DO UPDATE SET
        amount = known.amount + EXCLUDED.amount, swaps = known.swaps + EXCLUDED.swaps,
        kept = known.kept + EXCLUDED.kept, estimates = known.estimates + EXCLUDED.estimates;
    END
    $$`
  yield* sql`
    CREATE OR REPLACE FUNCTION take_from_days(taken commission_days[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE commission_days AS known SET
        amount = known.amount - less.amount, swaps = known.swaps - less.swaps,
        kept = known.kept - less.kept, estimates = known.estimates - less.estimates
      FROM (
        SELECT account_id, day, asset, platform, sum(amount) AS amount, sum(swaps) AS swaps, sum(kept) AS kept,
          sum(estimates) AS estimates
        FROM unnest(taken) GROUP BY 1, 2, 3, 4
      ) AS less
      WHERE (known.account_id, known.day, known.asset, known.platform)
        = (less.account_id, less.day, less.asset, less.platform);
      DELETE FROM commission_days WHERE swaps = 0
        AND (account_id, day, asset, platform) IN (SELECT account_id, day, asset, platform FROM unnest(taken));
    END
    $$`
  // A row of the sums, for each row of a transition table.
  const days = (rows: string) =>
    sql`
      ARRAY(SELECT ROW(rows.account_id, earned_on, asset, platform, amount, 1, kept, is_estimate::int)::commission_days
        FROM ${sql.literal(rows)} AS rows JOIN swaps ON swaps.id = swap_id)`
  const hours = (rows: string) =>
    sql`
      ARRAY(SELECT ROW(rows.account_id, date_trunc('hour', commission_time(earned_at, earned_on), 'UTC'), platform,
        'commission', asset, amount, 1)::business_hours
        FROM ${sql.literal(rows)} AS rows JOIN swaps ON swaps.id = swap_id WHERE amount > 0)`
  yield* sql`
    CREATE OR REPLACE FUNCTION sum_commissions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN PERFORM lock_accounts(ARRAY(SELECT account_id FROM added));
      ELSIF TG_OP = 'DELETE' THEN PERFORM lock_accounts(ARRAY(SELECT account_id FROM taken));
      ELSE PERFORM lock_accounts(ARRAY(SELECT account_id FROM taken UNION SELECT account_id FROM added));
      END IF;
      IF TG_OP <> 'INSERT' THEN
        PERFORM take_from_days(${days("taken")});
        PERFORM take_from_hours(${hours("taken")});
      END IF;
      IF TG_OP <> 'DELETE' THEN
        PERFORM add_to_days(${days("added")});
        PERFORM add_to_hours(${hours("added")});
      END IF;
      RETURN NULL;
    END
    $$`
})

export default Effect.all([figures, sums], { discard: true })
