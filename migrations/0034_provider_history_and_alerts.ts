import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The alerts that ever began, the faults that are seen at present, and the messages about both to the operator. A fault
 * without `alert_id` has not lasted long enough for an alert yet. `recurrences` says how often the same alert had begun
 * in the day before.
 */
const alerts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE alerts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      type text NOT NULL,
      subject text NOT NULL,
      alert jsonb NOT NULL,
      since timestamptz NOT NULL,
      began_at timestamptz NOT NULL,
      ended_at timestamptz
    )`
  yield* sql`CREATE UNIQUE INDEX alerts_active ON alerts (type, subject) WHERE ended_at IS NULL`
  yield* sql`CREATE INDEX alerts_listed ON alerts (id) WHERE ended_at IS NOT NULL`
  yield* sql`CREATE INDEX alerts_begun ON alerts (type, subject, began_at)`
  yield* sql`CREATE INDEX alerts_ended ON alerts (ended_at) WHERE ended_at IS NOT NULL`
  yield* sql`
    CREATE TABLE alert_faults (
      type text NOT NULL,
      subject text NOT NULL,
      alert jsonb NOT NULL,
      since timestamptz NOT NULL,
      seen_at timestamptz NOT NULL,
      alert_id bigint REFERENCES alerts (id),
      recurrences integer NOT NULL DEFAULT 0,
      PRIMARY KEY (type, subject)
    )`
  yield* sql`
    CREATE TABLE alert_messages (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      alert_id bigint NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
      event text NOT NULL CHECK (event IN ('alert.began', 'alert.ended')),
      body text NOT NULL,
      created_at timestamptz NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      claims integer NOT NULL DEFAULT 0,
      next_attempt_at timestamptz,
      UNIQUE (alert_id, event)
    )`
  yield* sql`CREATE INDEX alert_messages_due ON alert_messages (id) WHERE next_attempt_at IS NOT NULL`
  yield* sql`CREATE INDEX webhooks_failing ON webhooks (failing_since) WHERE failing_since IS NOT NULL`
})

/**
 * The calls of providers by group of operations, in buckets of five minutes: how they ended, why they failed, how many
 * took at most how many milliseconds, and for how long circuits were open. Replicas add to the same rows.
 */
const providerHistory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE provider_history (
      provider text NOT NULL,
      at timestamptz NOT NULL,
      operation text NOT NULL,
      succeeded bigint NOT NULL DEFAULT 0,
      refused bigint NOT NULL DEFAULT 0,
      cancelled bigint NOT NULL DEFAULT 0,
      rejected bigint NOT NULL DEFAULT 0,
      timed_out bigint NOT NULL DEFAULT 0,
      unreachable bigint NOT NULL DEFAULT 0,
      malformed bigint NOT NULL DEFAULT 0,
      upstream_failed bigint NOT NULL DEFAULT 0,
      rate_limited bigint NOT NULL DEFAULT 0,
      slow bigint NOT NULL DEFAULT 0,
      broken bigint NOT NULL DEFAULT 0,
      took_25 bigint NOT NULL DEFAULT 0,
      took_50 bigint NOT NULL DEFAULT 0,
      took_100 bigint NOT NULL DEFAULT 0,
      took_250 bigint NOT NULL DEFAULT 0,
      took_500 bigint NOT NULL DEFAULT 0,
      took_1000 bigint NOT NULL DEFAULT 0,
      took_2500 bigint NOT NULL DEFAULT 0,
      took_5000 bigint NOT NULL DEFAULT 0,
      took_10000 bigint NOT NULL DEFAULT 0,
      took_30000 bigint NOT NULL DEFAULT 0,
      took_longer bigint NOT NULL DEFAULT 0,
      open_millis bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (provider, at, operation)
    )`
  yield* sql`CREATE INDEX provider_history_at ON provider_history (at)`
})

export default Effect.all([alerts, providerHistory], { discard: true })
