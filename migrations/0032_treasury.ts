import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What each swap has earned so far, by its latest record: the broker fees, also of a swap that is under way or was
 * refunded after some of its chunks. A correction to less is kept as such; a channel that is used again has rows for
 * each of its swaps.
 */
const earnings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE earnings (
      swap_id bigint NOT NULL REFERENCES swaps (id),
      upstream_swap text NOT NULL,
      asset text NOT NULL,
      platform text NOT NULL,
      amount numeric(78, 0) NOT NULL CHECK (amount >= 0),
      PRIMARY KEY (swap_id, upstream_swap, asset)
    )`
  yield* sql`
    CREATE FUNCTION earnings_of(swap swaps) RETURNS SETOF earnings LANGUAGE sql STABLE AS $$
      SELECT swap.id, coalesce(swap.status ->> 'swapId', ''), fee ->> 'asset', swap.platform,
        sum((fee ->> 'amount')::numeric)
      FROM jsonb_array_elements(swap.status -> 'fees') AS fee
      WHERE fee ->> 'type' = 'broker'
      GROUP BY fee ->> 'asset'
    $$`
  yield* sql`
    INSERT INTO earnings
    SELECT earned.* FROM swaps CROSS JOIN LATERAL earnings_of(swaps) AS earned WHERE status IS NOT NULL`
  yield* sql`
    CREATE FUNCTION write_earnings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE earnings SET amount = 0
      WHERE swap_id = NEW.id AND upstream_swap = coalesce(NEW.status ->> 'swapId', '') AND amount > 0
        AND asset NOT IN (SELECT asset FROM earnings_of(NEW));
      INSERT INTO earnings SELECT * FROM earnings_of(NEW)
      ON CONFLICT (swap_id, upstream_swap, asset) DO UPDATE SET amount = EXCLUDED.amount
      WHERE earnings.amount <> EXCLUDED.amount;
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE TRIGGER swaps_earnings_first AFTER INSERT ON swaps
    FOR EACH ROW WHEN (NEW.status IS NOT NULL) EXECUTE FUNCTION write_earnings()`
  yield* sql`
    CREATE TRIGGER swaps_earnings AFTER UPDATE OF status ON swaps
    FOR EACH ROW WHEN (
      (NEW.status -> 'fees', NEW.status ->> 'swapId') IS DISTINCT FROM (OLD.status -> 'fees', OLD.status ->> 'swapId')
    ) EXECUTE FUNCTION write_earnings()`
})

/**
 * The sums of the earnings. Swaps of all accounts change the same few sums, so each change is a row of its own, for
 * which nobody waits; adding these up is left to whoever reads the sums.
 */
const sums = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE earnings_sums (
      platform text NOT NULL,
      asset text NOT NULL,
      amount numeric NOT NULL,
      PRIMARY KEY (platform, asset)
    )`
  yield* sql`
    CREATE TABLE earnings_changes (platform text NOT NULL, asset text NOT NULL, amount numeric NOT NULL)`
  yield* sql`INSERT INTO earnings_sums SELECT platform, asset, sum(amount) FROM earnings GROUP BY platform, asset`
  yield* sql`
    CREATE FUNCTION write_earnings_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO earnings_changes
      VALUES (NEW.platform, NEW.asset, NEW.amount - CASE WHEN TG_OP = 'UPDATE' THEN OLD.amount ELSE 0 END);
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE TRIGGER earnings_summed AFTER INSERT OR UPDATE OF amount ON earnings
    FOR EACH ROW EXECUTE FUNCTION write_earnings_change()`
})

/** The operator's accounts as they were last seen, and when the next look is due. */
const looks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE treasury_looks (
      platform text PRIMARY KEY,
      account jsonb,
      looked_at timestamptz,
      failure text,
      failed_at timestamptz,
      next_look_at timestamptz NOT NULL,
      CHECK ((account IS NULL) = (looked_at IS NULL)),
      CHECK ((failure IS NULL) = (failed_at IS NULL))
    )`
  // What an account was bound to when that was first seen: a binding is for ever, whatever an upstream says later.
  yield* sql`
    CREATE TABLE bound_addresses (
      platform text NOT NULL,
      account text NOT NULL,
      chain text NOT NULL,
      address text NOT NULL,
      PRIMARY KEY (platform, account, chain)
    )`
})

/**
 * The ledger's own entries, and how it stands to each account. An account's ledger begins when it is first compared; what
 * it had until then is its first entry.
 */
const ledger = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE ledger_accounts (
      platform text NOT NULL,
      account text NOT NULL,
      opened_at timestamptz NOT NULL,
      PRIMARY KEY (platform, account)
    )`
  yield* sql`
    CREATE TABLE ledger_entries (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      platform text NOT NULL,
      account text NOT NULL,
      asset text NOT NULL,
      amount numeric(78, 0) NOT NULL,
      reason text NOT NULL,
      entered_at timestamptz NOT NULL,
      FOREIGN KEY (platform, account) REFERENCES ledger_accounts (platform, account)
    )`
  yield* sql`CREATE INDEX ledger_entries_of ON ledger_entries (platform, account)`
  yield* sql`
    CREATE TABLE ledger_standings (
      platform text NOT NULL,
      account text NOT NULL,
      asset text NOT NULL,
      earned numeric(78, 0) NOT NULL,
      ledger numeric(78, 0) NOT NULL,
      compared_at timestamptz NOT NULL,
      marked_earned numeric(78, 0),
      marked_at timestamptz,
      short_since timestamptz,
      mismatch_since timestamptz,
      PRIMARY KEY (platform, account, asset),
      FOREIGN KEY (platform, account) REFERENCES ledger_accounts (platform, account),
      CHECK ((marked_earned IS NULL) = (marked_at IS NULL))
    )`
})

/**
 * Withdrawals, each written before it is ordered. Only one order of an account's asset can be out without an answer:
 * neither a second click nor another replica can order it twice.
 */
const withdrawals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE withdrawals (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      platform text NOT NULL,
      asset text NOT NULL,
      affiliate text,
      destination text NOT NULL,
      state text NOT NULL CHECK (state IN ('requested', 'unknown', 'taken', 'sent', 'paid', 'failed')),
      earned numeric(78, 0) NOT NULL,
      reference text,
      order_transaction text,
      amount numeric(78, 0),
      fee numeric(78, 0),
      payment_transaction text,
      detail text,
      is_contradicted boolean NOT NULL DEFAULT false,
      requested_by text NOT NULL,
      idempotency_key text,
      requested_at timestamptz NOT NULL,
      changed_at timestamptz NOT NULL,
      next_look_at timestamptz,
      lookups integer NOT NULL DEFAULT 0,
      CHECK ((reference IS NULL) = (amount IS NULL) AND (amount IS NULL) = (fee IS NULL)),
      CHECK (state NOT IN ('taken', 'sent') OR reference IS NOT NULL),
      CHECK ((next_look_at IS NOT NULL) = (state NOT IN ('paid', 'failed')))
    )`
  yield* sql`
    CREATE UNIQUE INDEX withdrawals_open ON withdrawals (platform, asset, coalesce(affiliate, ''))
    WHERE state IN ('requested', 'unknown')`
  yield* sql`
    CREATE UNIQUE INDEX withdrawals_keys ON withdrawals (requested_by, idempotency_key)
    WHERE idempotency_key IS NOT NULL`
  yield* sql`CREATE INDEX withdrawals_due ON withdrawals (next_look_at) WHERE next_look_at IS NOT NULL`
  yield* sql`CREATE INDEX withdrawals_taken ON withdrawals (platform, asset) WHERE amount IS NOT NULL`
  yield* sql`
    CREATE TABLE withdrawal_journal (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      withdrawal_id bigint NOT NULL REFERENCES withdrawals (id),
      state text NOT NULL,
      detail text,
      recorded_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX withdrawal_journal_of ON withdrawal_journal (withdrawal_id, id)`
  yield* sql`
    CREATE FUNCTION refuse_to_alter_withdrawals() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'The journal of withdrawals is append-only: % is refused', TG_OP;
    END
    $$`
  yield* sql`
    CREATE TRIGGER withdrawal_journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON withdrawal_journal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_alter_withdrawals()`
})

/** The names under which requests know affiliates. One whose registration has no answer yet has no account. */
const affiliates = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE affiliates (
      name text PRIMARY KEY,
      platform text NOT NULL,
      account text,
      withdrawal_address text NOT NULL,
      registered_at timestamptz NOT NULL,
      UNIQUE (platform, account)
    )`
})

export default Effect.all([earnings, sums, looks, ledger, withdrawals, affiliates], { discard: true })
