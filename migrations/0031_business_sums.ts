import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Commission gets the time of its payment besides the day; what was earned before has the beginning of its day. The sums
 * of each account, day, asset and provider follow every change of `commissions`, in its transaction.
 *
 * A sum is changed by all who complete swaps of its account. They lock the account's row first, which a swap that ends
 * locks anyway for its count of open channels: so no two wait for each other's sums, in whatever order they come.
 */
const commissions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE commissions ADD COLUMN earned_at timestamptz`
  yield* sql`
    CREATE OR REPLACE FUNCTION earned_by(swap swaps) RETURNS SETOF commissions LANGUAGE sql STABLE AS $$
      SELECT
        swap.id, coalesce(swap.status ->> 'swapId', ''), fee ->> 'asset', swap.account_id,
        (paid.at AT TIME ZONE 'UTC')::date, sum((fee ->> 'amount')::numeric), paid.at
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
        AND fee ->> 'type' = 'broker'
      GROUP BY fee ->> 'asset', paid.at
      HAVING sum((fee ->> 'amount')::numeric) > 0
    $$`
  yield* sql`
    CREATE OR REPLACE FUNCTION write_commissions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO commissions SELECT * FROM earned_by(NEW)
      ON CONFLICT (swap_id, upstream_swap, asset) DO UPDATE SET
        earned_on = EXCLUDED.earned_on, amount = EXCLUDED.amount, earned_at = EXCLUDED.earned_at
      WHERE (commissions.earned_on, commissions.amount)
        IS DISTINCT FROM (EXCLUDED.earned_on, EXCLUDED.amount);
      RETURN NULL;
    END
    $$`
})

/**
 * Every end that a swap came to: a channel that is used again comes to several, and an end that its upstream takes back
 * is none. The amount is what was deposited, in the source asset. The time is ours, as upstreams may name any.
 */
const ends = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE swap_ends (
      swap_id bigint NOT NULL REFERENCES swaps (id),
      upstream_swap text NOT NULL,
      account_id bigint NOT NULL REFERENCES accounts (id),
      outcome text NOT NULL CHECK (outcome IN ('completed', 'refunded', 'failed')),
      asset text NOT NULL,
      amount numeric(78, 0) NOT NULL,
      ended_at timestamptz NOT NULL,
      PRIMARY KEY (swap_id, upstream_swap)
    )`
  // A failed swap counts as refunded once the refund is proved, as its account's event says then.
  yield* sql`
    CREATE FUNCTION end_of(swap swaps) RETURNS SETOF swap_ends LANGUAGE sql STABLE AS $$
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
        coalesce(swap.changed_at, swap.updated_at)
      FROM (SELECT swap.status -> 'swapEgress' AS output, swap.status -> 'refundEgress' AS refund) AS told
      WHERE swap.state IN ('completed', 'failed')
    $$`
  yield* sql`
    INSERT INTO swap_ends
    SELECT ended.* FROM swaps CROSS JOIN LATERAL end_of(swaps) AS ended
    WHERE swaps.state IN ('completed', 'failed')`
  yield* sql`
    CREATE FUNCTION write_end() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND OLD.state IN ('completed', 'failed') AND NEW.state NOT IN ('completed', 'failed') THEN
        DELETE FROM swap_ends
        WHERE swap_id = NEW.id AND upstream_swap = coalesce(NEW.status ->> 'swapId', '');
      END IF;
      INSERT INTO swap_ends AS known SELECT * FROM end_of(NEW)
      ON CONFLICT (swap_id, upstream_swap) DO UPDATE SET
        outcome = EXCLUDED.outcome, asset = EXCLUDED.asset, amount = EXCLUDED.amount,
        ended_at = CASE WHEN known.outcome = EXCLUDED.outcome THEN known.ended_at ELSE EXCLUDED.ended_at END
      WHERE (known.outcome, known.asset, known.amount)
        IS DISTINCT FROM (EXCLUDED.outcome, EXCLUDED.asset, EXCLUDED.amount);
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE TRIGGER swaps_ends AFTER UPDATE OF state, status ON swaps
    FOR EACH ROW WHEN (OLD.state IN ('completed', 'failed') OR NEW.state IN ('completed', 'failed'))
    EXECUTE FUNCTION write_end()`
})

/** Sums by day and by hour (UTC), each kept with what it sums. One that has come to nothing is gone. */
const sums = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE commission_days (
      account_id bigint NOT NULL REFERENCES accounts (id),
      day date NOT NULL,
      asset text NOT NULL,
      platform text NOT NULL,
      amount numeric NOT NULL,
      swaps bigint NOT NULL CHECK (swaps >= 0),
      PRIMARY KEY (account_id, day, asset, platform)
    )`
  yield* sql`
    CREATE TABLE business_hours (
      account_id bigint NOT NULL REFERENCES accounts (id),
      hour timestamptz NOT NULL,
      platform text NOT NULL,
      measure text NOT NULL CHECK (measure IN ('completed', 'refunded', 'failed', 'commission')),
      asset text NOT NULL,
      amount numeric NOT NULL,
      swaps bigint NOT NULL CHECK (swaps >= 0),
      PRIMARY KEY (account_id, hour, platform, measure, asset)
    )`
  yield* sql`
    CREATE FUNCTION commission_time(earned_at timestamptz, earned_on date) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE AS $$ SELECT coalesce(earned_at, earned_on::timestamp AT TIME ZONE 'UTC') $$`
  yield* sql`
    INSERT INTO commission_days
    SELECT earned.account_id, earned_on, asset, platform, sum(amount), count(*)
    FROM commissions AS earned JOIN swaps ON swaps.id = swap_id GROUP BY 1, 2, 3, 4`
  yield* sql`
    INSERT INTO business_hours
    SELECT earned.account_id, date_trunc('hour', commission_time(earned_at, earned_on), 'UTC'), platform, 'commission', asset,
      sum(amount), count(*)
    FROM commissions AS earned JOIN swaps ON swaps.id = swap_id GROUP BY 1, 2, 3, 5`
  yield* sql`
    INSERT INTO business_hours
    SELECT ended.account_id, date_trunc('hour', ended_at, 'UTC'), platform, outcome, asset, sum(amount), count(*)
    FROM swap_ends AS ended JOIN swaps ON swaps.id = swap_id GROUP BY 1, 2, 3, 4, 5`
  yield* sql`CREATE INDEX commission_days_of_all ON commission_days (day)`
  yield* sql`CREATE INDEX business_hours_of_all ON business_hours (hour)`
})

/**
 * How the sums follow: what rows said before is taken away, and what they say now is added. All rows of a statement are
 * summed before, because each change of a sum within a transaction makes the next one slower.
 */
const summing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const hourKey = sql.literal("account_id, hour, platform, measure, asset")
  const hoursOf = (rows: string) =>
    sql`
      SELECT ${hourKey}, sum(amount) AS amount, sum(swaps) AS swaps FROM unnest(${
      sql.literal(rows)
    }) GROUP BY ${hourKey}`
  yield* sql`
    CREATE FUNCTION add_to_hours(added business_hours[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO business_hours AS known ${hoursOf("added")}
      ON CONFLICT (${hourKey}) DO UPDATE
        SET amount = known.amount + EXCLUDED.amount, swaps = known.swaps + EXCLUDED.swaps;
    END
    $$`
  yield* sql`
    CREATE FUNCTION take_from_hours(taken business_hours[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE business_hours AS known SET amount = known.amount - less.amount, swaps = known.swaps - less.swaps
      FROM (${hoursOf("taken")}) AS less
      WHERE (known.account_id, known.hour, known.platform, known.measure, known.asset)
        = (less.account_id, less.hour, less.platform, less.measure, less.asset);
      DELETE FROM business_hours WHERE swaps = 0 AND (${hourKey}) IN (SELECT ${hourKey} FROM unnest(taken));
    END
    $$`
  yield* sql`
    CREATE FUNCTION add_to_days(added commission_days[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO commission_days AS known
      SELECT account_id, day, asset, platform, sum(amount), sum(swaps) FROM unnest(added) GROUP BY 1, 2, 3, 4
      ON CONFLICT (account_id, day, asset, platform) DO UPDATE
        SET amount = known.amount + EXCLUDED.amount, swaps = known.swaps + EXCLUDED.swaps;
    END
    $$`
  yield* sql`
    CREATE FUNCTION take_from_days(taken commission_days[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE commission_days AS known SET amount = known.amount - less.amount, swaps = known.swaps - less.swaps
      FROM (
        SELECT account_id, day, asset, platform, sum(amount) AS amount, sum(swaps) AS swaps FROM unnest(taken)
        GROUP BY 1, 2, 3, 4
      ) AS less
      WHERE (known.account_id, known.day, known.asset, known.platform)
        = (less.account_id, less.day, less.asset, less.platform);
      DELETE FROM commission_days WHERE swaps = 0
        AND (account_id, day, asset, platform) IN (SELECT account_id, day, asset, platform FROM unnest(taken));
    END
    $$`
  yield* sql`
    CREATE FUNCTION lock_accounts(ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM accounts WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
    END
    $$`
  // A row of the sums, for each row of a transition table.
  const days = (rows: string) =>
    sql`
      ARRAY(SELECT ROW(rows.account_id, earned_on, asset, platform, amount, 1)::commission_days
        FROM ${sql.literal(rows)} AS rows JOIN swaps ON swaps.id = swap_id)`
  const commissionHours = (rows: string) =>
    sql`
      ARRAY(SELECT ROW(rows.account_id, date_trunc('hour', commission_time(earned_at, earned_on), 'UTC'), platform,
        'commission', asset, amount, 1)::business_hours
        FROM ${sql.literal(rows)} AS rows JOIN swaps ON swaps.id = swap_id)`
  const endHours = (rows: string) =>
    sql`
      ARRAY(SELECT ROW(rows.account_id, date_trunc('hour', ended_at, 'UTC'), platform, outcome, asset, amount,
        1)::business_hours
        FROM ${sql.literal(rows)} AS rows JOIN swaps ON swaps.id = swap_id)`
  const locks = sql.literal(`
      IF TG_OP = 'INSERT' THEN PERFORM lock_accounts(ARRAY(SELECT account_id FROM added));
      ELSIF TG_OP = 'DELETE' THEN PERFORM lock_accounts(ARRAY(SELECT account_id FROM taken));
      ELSE PERFORM lock_accounts(ARRAY(SELECT account_id FROM taken UNION SELECT account_id FROM added));
      END IF;`)
  yield* sql`
    CREATE FUNCTION sum_commissions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${locks}
      IF TG_OP <> 'INSERT' THEN
        PERFORM take_from_days(${days("taken")});
        PERFORM take_from_hours(${commissionHours("taken")});
      END IF;
      IF TG_OP <> 'DELETE' THEN
        PERFORM add_to_days(${days("added")});
        PERFORM add_to_hours(${commissionHours("added")});
      END IF;
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE FUNCTION sum_ends() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${locks}
      IF TG_OP <> 'INSERT' THEN PERFORM take_from_hours(${endHours("taken")}); END IF;
      IF TG_OP <> 'DELETE' THEN PERFORM add_to_hours(${endHours("added")}); END IF;
      RETURN NULL;
    END
    $$`
  for (const [table, sum] of [["commissions", "sum_commissions"], ["swap_ends", "sum_ends"]] as const) {
    for (
      const [event, seen] of [
        ["INSERT", "NEW TABLE AS added"],
        ["UPDATE", "OLD TABLE AS taken NEW TABLE AS added"],
        ["DELETE", "OLD TABLE AS taken"],
      ] as const
    ) {
      yield* sql`
        CREATE TRIGGER ${sql.literal(`${table}_${event.toLowerCase()}_summed`)} AFTER ${sql.literal(event)}
        ON ${sql.literal(table)} REFERENCING ${sql.literal(seen)}
        FOR EACH STATEMENT EXECUTE FUNCTION ${sql.literal(sum)}()`
    }
  }
})

/** The part of migration 0031 that sums what was swapped and earned. */
export const businessSums = Effect.all([commissions, ends, sums, summing], { discard: true })
