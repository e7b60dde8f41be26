import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Every payload that was handed out, with what a swap made of it will show: a vault swap has no channel, so that
 * is how the account is told whose it is. Asking again for the same leaves the first row.
 */
const payloads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE vault_swap_payloads (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id bigint NOT NULL REFERENCES accounts (id),
      platform text NOT NULL,
      source_asset text NOT NULL,
      destination_asset text NOT NULL,
      destination text NOT NULL,
      refund text NOT NULL,
      refund_fixed boolean NOT NULL,
      terms text NOT NULL,
      price_limit numeric NOT NULL,
      amount numeric(78, 0) NOT NULL,
      amount_fixed boolean NOT NULL,
      request jsonb NOT NULL,
      created_at timestamptz NOT NULL
    )`
  yield* sql`
    CREATE UNIQUE INDEX vault_swap_payloads_alike ON vault_swap_payloads
      (account_id, platform, source_asset, destination_asset, destination, refund, terms, price_limit, amount)`
  yield* sql`
    CREATE INDEX vault_swap_payloads_of ON vault_swap_payloads
      (destination, source_asset, destination_asset, platform)`
})

/** Swaps that no channel brought, by their transaction as the upstream is asked for it: each belongs to one account. */
const swaps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE swaps ADD COLUMN vault_transaction text`
  yield* sql`
    CREATE UNIQUE INDEX swaps_vault_transaction ON swaps (vault_transaction, platform)
    WHERE vault_transaction IS NOT NULL`
})

/** The encoding of payloads can be switched by itself. */
const switches = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE provider_switches
      DROP CONSTRAINT provider_switches_operation_check,
      ADD CONSTRAINT provider_switches_operation_check
        CHECK (operation IN ('quote', 'open', 'encode', 'status'))`
})

export default Effect.all([payloads, swaps, switches], { discard: true })
