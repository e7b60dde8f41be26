import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Prices in US dollars for one native unit, the first that was known in each hour. No price is changed later, so that no
 * value is. Where an hour has none, the last of the day before it counts.
 */
const prices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE asset_prices (
      asset text NOT NULL,
      hour timestamptz NOT NULL,
      usd numeric NOT NULL CHECK (usd > 0),
      PRIMARY KEY (asset, hour)
    )`
  yield* sql`
    CREATE FUNCTION price_at(of_asset text, at timestamptz) RETURNS numeric LANGUAGE sql STABLE AS $$
      SELECT usd FROM asset_prices
      WHERE asset = of_asset AND hour <= at AND hour > at - interval '25 hours' ORDER BY hour DESC LIMIT 1
    $$`
  yield* sql`
    CREATE FUNCTION value_of(of_asset text, native numeric, at timestamptz) RETURNS numeric LANGUAGE sql STABLE AS $$
      SELECT CASE WHEN native = 0 THEN 0 ELSE round(native * price_at(of_asset, at), 6) END
    $$`
})

/** Every end and every commission has its value at its time; null while no price is known. */
const values = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE swap_ends ADD COLUMN value numeric`
  yield* sql`ALTER TABLE commissions ADD COLUMN value numeric`
  yield* sql`CREATE INDEX swap_ends_unvalued ON swap_ends (ended_at) WHERE value IS NULL`
  yield* sql`CREATE INDEX commissions_unvalued ON commissions (earned_at) WHERE value IS NULL`
  yield* sql`
    CREATE OR REPLACE FUNCTION end_of(swap swaps) RETURNS SETOF swap_ends LANGUAGE sql STABLE AS $$
      SELECT swap.id, coalesce(swap.status ->> 'swapId', ''), swap.account_id, ended.outcome,
        told.asset, told.amount, told.at,
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
        ) IS TRUE,
        value_of(told.asset, told.amount, told.at)
      FROM (
        SELECT swap.status -> 'swapEgress' AS output, swap.status -> 'refundEgress' AS refund,
          coalesce(swap.status ->> 'sourceAsset', '') AS asset,
          coalesce((swap.status #>> '{deposit,amount}')::numeric, 0) AS amount,
          coalesce(swap.changed_at, swap.updated_at) AS at,
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
  // An end that is corrected keeps its time, and a price of that time.
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
        is_own = EXCLUDED.is_own,
        value = CASE WHEN (known.asset, known.amount) = (EXCLUDED.asset, EXCLUDED.amount) THEN known.value
          ELSE value_of(EXCLUDED.asset, EXCLUDED.amount, known.ended_at) END
      WHERE (known.outcome, known.asset, known.amount, known.seconds, known.is_own)
        IS DISTINCT FROM (EXCLUDED.outcome, EXCLUDED.asset, EXCLUDED.amount, EXCLUDED.seconds, EXCLUDED.is_own);
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE OR REPLACE FUNCTION earned_by(swap swaps) RETURNS SETOF commissions LANGUAGE sql STABLE AS $$
      SELECT
        swap.id, coalesce(swap.status ->> 'swapId', ''), earned.asset, swap.account_id,
        (paid.at AT TIME ZONE 'UTC')::date, earned.amount, paid.at, earned.kept, earned.is_estimate,
        value_of(earned.asset, earned.amount, paid.at)
      FROM (SELECT paid_at(swap) AS at) AS paid, LATERAL (
        SELECT fee ->> 'asset' AS asset,
          coalesce(sum((fee ->> 'amount')::numeric) FILTER (WHERE fee ->> 'type' = 'broker'), 0) AS amount,
          coalesce(sum((fee ->> 'amount')::numeric) FILTER (WHERE fee ->> 'type' = 'provider'), 0) AS kept,
          coalesce(bool_or((fee ->> 'isEstimate')::boolean), false) AS is_estimate
        FROM jsonb_array_elements(swap.status -> 'fees') AS fee
        WHERE fee ->> 'type' IN ('broker', 'provider')
        GROUP BY fee ->> 'asset'
        HAVING sum((fee ->> 'amount')::numeric) > 0
      ) AS earned
      WHERE swap.state = 'completed'
        AND coalesce(swap.status -> 'swapEgress', swap.status -> 'fallbackEgress') IS NOT NULL
    $$`
  yield* sql`
    CREATE OR REPLACE FUNCTION write_commissions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO commissions AS known SELECT * FROM earned_by(NEW)
      ON CONFLICT (swap_id, upstream_swap, asset) DO UPDATE SET
        earned_on = EXCLUDED.earned_on, amount = EXCLUDED.amount, earned_at = EXCLUDED.earned_at,
        kept = EXCLUDED.kept, is_estimate = EXCLUDED.is_estimate,
        value = CASE WHEN (known.amount, known.earned_at) = (EXCLUDED.amount, EXCLUDED.earned_at) THEN known.value
          ELSE EXCLUDED.value END
      WHERE (known.earned_on, known.amount, known.kept, known.is_estimate)
        IS DISTINCT FROM (EXCLUDED.earned_on, EXCLUDED.amount, EXCLUDED.kept, EXCLUDED.is_estimate);
      RETURN NULL;
    END
    $$`
})

/** The sums of an hour have their value, and how many of their swaps have none. */
const sums = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE business_hours
      ADD COLUMN value numeric NOT NULL DEFAULT 0,
      ADD COLUMN unvalued bigint NOT NULL DEFAULT 0 CHECK (unvalued >= 0)`
  yield* sql`UPDATE business_hours SET unvalued = swaps`
  const hourKey = sql.literal("account_id, hour, platform, measure, asset")
  const hoursOf = (rows: string) =>
    sql`
      SELECT ${hourKey}, sum(amount) AS amount, sum(swaps) AS swaps, sum(value) AS value, sum(unvalued) AS unvalued
      FROM unnest(${sql.literal(rows)}) GROUP BY ${hourKey}`
  yield* sql`
    CREATE OR REPLACE FUNCTION add_to_hours(added business_hours[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO business_hours AS known ${hoursOf("added")}
      ON CONFLICT (${hourKey}) DO UPDATE SET
        amount = known.amount + EXCLUDED.amount, swaps = known.swaps + EXCLUDED.swaps,
        value = known.value + EXCLUDED.value, unvalued = known.unvalued + EXCLUDED.unvalued;
    END
    $$`
  yield* sql`
    CREATE OR REPLACE FUNCTION take_from_hours(taken business_hours[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE business_hours AS known SET
        amount = known.amount - less.amount, swaps = known.swaps - less.swaps,
        value = known.value - less.value, unvalued = known.unvalued - less.unvalued
      FROM (${hoursOf("taken")}) AS less
      WHERE (known.account_id, known.hour, known.platform, known.measure, known.asset)
        = (less.account_id, less.hour, less.platform, less.measure, less.asset);
      DELETE FROM business_hours WHERE swaps = 0 AND (${hourKey}) IN (SELECT ${hourKey} FROM unnest(taken));
    END
    $$`
  // A row of the sums, for each row of a transition table.
  const days = (rows: string) =>
    sql`
      ARRAY(SELECT ROW(rows.account_id, earned_on, asset, platform, amount, 1, kept, is_estimate::int)::commission_days
        FROM ${sql.literal(rows)} AS rows JOIN swaps ON swaps.id = swap_id)`
  const commissionHours = (rows: string) =>
    sql`
      ARRAY(SELECT ROW(rows.account_id, date_trunc('hour', commission_time(earned_at, earned_on), 'UTC'), platform,
        'commission', asset, amount, 1, coalesce(value, 0), (value IS NULL)::int)::business_hours
        FROM ${sql.literal(rows)} AS rows JOIN swaps ON swaps.id = swap_id WHERE amount > 0)`
  const endHours = (rows: string) =>
    sql`
      ARRAY(SELECT ROW(rows.account_id, date_trunc('hour', ended_at, 'UTC'), platform, outcome, asset, amount,
        1, coalesce(value, 0), (value IS NULL)::int)::business_hours
        FROM ${sql.literal(rows)} AS rows JOIN swaps ON swaps.id = swap_id)`
  const locks = sql.literal(`
      IF TG_OP = 'INSERT' THEN PERFORM lock_accounts(ARRAY(SELECT account_id FROM added));
      ELSIF TG_OP = 'DELETE' THEN PERFORM lock_accounts(ARRAY(SELECT account_id FROM taken));
      ELSE PERFORM lock_accounts(ARRAY(SELECT account_id FROM taken UNION SELECT account_id FROM added));
      END IF;`)
  yield* sql`
    CREATE OR REPLACE FUNCTION sum_commissions() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE OR REPLACE FUNCTION sum_ends() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${locks}
      IF TG_OP <> 'INSERT' THEN PERFORM take_from_hours(${endHours("taken")}); END IF;
      IF TG_OP <> 'DELETE' THEN PERFORM add_to_hours(${endHours("added")}); END IF;
      RETURN NULL;
    END
    $$`
  // Nothing is worth nothing at every price; the sums follow.
  yield* sql`UPDATE swap_ends SET value = 0 WHERE amount = 0`
  yield* sql`UPDATE commissions SET value = 0 WHERE amount = 0`
})

/** What was swapped and earned gets its value in US dollars, at its own time. */
export default Effect.all([prices, values, sums], { discard: true })
