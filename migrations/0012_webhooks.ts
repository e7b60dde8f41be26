import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Where accounts want to be told, and how far each endpoint has been told: `position` is the last event of the
 * outbox that was made a delivery of, or passed over because the endpoint does not want its type.
 */
const endpoints = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE webhooks (
      id text PRIMARY KEY,
      account_id bigint NOT NULL REFERENCES accounts (id),
      url text NOT NULL,
      types jsonb,
      position bigint NOT NULL,
      created_at timestamptz NOT NULL,
      disabled_at timestamptz,
      disabled_reason text,
      failing_since timestamptz,
      CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
    )`
  yield* sql`CREATE INDEX webhooks_of_account ON webhooks (account_id, created_at)`
  // What messages are signed with. Apart from the rest, because it never goes into an export.
  yield* sql`
    CREATE TABLE webhook_secrets (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
      secret text NOT NULL,
      expires_at timestamptz
    )`
  yield* sql`CREATE INDEX webhook_secrets_of ON webhook_secrets (webhook_id)`
})

/**
 * What is to be told to whom: a row for each event and endpoint, and one for each test. A pending one without
 * `next_attempt_at` waits for an earlier one of its swap. While somebody delivers it, `owner` says who, and
 * `next_attempt_at` until when nobody else does.
 */
const deliveries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE webhook_deliveries (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
      event_id bigint REFERENCES outbox (id),
      swap_id bigint REFERENCES swaps (id),
      created_at timestamptz NOT NULL,
      state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
      attempts integer NOT NULL DEFAULT 0,
      next_attempt_at timestamptz,
      ended_at timestamptz,
      owner text,
      claims integer NOT NULL DEFAULT 0,
      UNIQUE (webhook_id, event_id),
      CHECK ((event_id IS NULL) = (swap_id IS NULL)),
      CHECK ((state = 'pending') = (ended_at IS NULL)),
      CHECK (state = 'pending' OR next_attempt_at IS NULL)
    )`
  yield* sql`
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL`
  yield* sql`
    CREATE INDEX webhook_deliveries_under_way ON webhook_deliveries (webhook_id) WHERE owner IS NOT NULL`
  yield* sql`
    CREATE INDEX webhook_deliveries_of_swap ON webhook_deliveries (webhook_id, swap_id, event_id)
    WHERE state = 'pending'`
  yield* sql`CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook_id, id)`
  yield* sql`CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL`
  yield* sql`
    CREATE TABLE webhook_attempts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      delivery_id bigint NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
      at timestamptz NOT NULL,
      duration_millis integer NOT NULL,
      status integer,
      failure text,
      excerpt text,
      CHECK ((status IS NULL) <> (failure IS NULL))
    )`
  yield* sql`CREATE INDEX webhook_attempts_of ON webhook_attempts (delivery_id, id)`
})

export default Effect.all([endpoints, deliveries], { discard: true })
