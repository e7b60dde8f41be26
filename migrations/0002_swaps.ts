import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * One row for each channel that was asked for, written before the provider is. `opening` says what came of
 * the asking; only opened ones have a state and are ever shown.
 */
const swaps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE swaps (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id bigint NOT NULL REFERENCES accounts (id),
      platform text NOT NULL,
      opening text NOT NULL CHECK (opening IN ('requested', 'opened', 'unknown', 'refused')),
      opening_failure text,
      request jsonb NOT NULL,
      issued_block bigint,
      network text,
      channel_id bigint,
      deposit_address text,
      source_expiry_block bigint,
      opening_fee numeric(78, 0),
      state text,
      status jsonb,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      looked_up_at timestamptz,
      next_lookup_at timestamptz,
      lookup_failures integer NOT NULL DEFAULT 0,
      lookups_begun bigint NOT NULL DEFAULT 0,
      lookup_stored bigint NOT NULL DEFAULT 0,
      seen_upstream boolean NOT NULL DEFAULT false,
      CHECK ((opening = 'opened') = (state IS NOT NULL)),
      CHECK ((state IS NULL) = (status IS NULL))
    )`
  // The history is ordered by `id + 0`, which only these indexes know. Ordered by `id`, the planner likes to
  // read the primary key backwards past any number of rows of other states and accounts.
  yield* sql`CREATE INDEX swaps_history ON swaps (account_id, state, (id + 0)) WHERE state IS NOT NULL`
  yield* sql`
    CREATE INDEX swaps_platform_history ON swaps (account_id, platform, state, (id + 0))
    WHERE state IS NOT NULL`
  yield* sql`
    CREATE INDEX swaps_channel ON swaps (account_id, issued_block, network, channel_id, id)
    WHERE channel_id IS NOT NULL`
  yield* sql`CREATE INDEX swaps_due ON swaps (next_lookup_at) WHERE next_lookup_at IS NOT NULL`
  yield* sql`CREATE INDEX swaps_requested ON swaps (created_at) WHERE opening = 'requested'`
})

/** Every deposit transaction that was ever seen of a swap, so that a reused channel is found by each. */
const deposits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE swap_deposits (
      account_id bigint NOT NULL REFERENCES accounts (id),
      transaction_reference text NOT NULL,
      swap_id bigint NOT NULL REFERENCES swaps (id),
      PRIMARY KEY (account_id, transaction_reference, swap_id)
    )`
})

export default Effect.andThen(swaps, deposits)
