import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What is known of the upstreams' wires: the latest answers that were refused, and what the witness of each provider
 * found when it asked last. `next_at` is when it asks again; whoever asks moves it on.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE refused_answers (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      provider text NOT NULL,
      operation text NOT NULL,
      at timestamptz NOT NULL,
      refusal jsonb NOT NULL
    )`
  yield* sql`CREATE INDEX refused_answers_latest ON refused_answers (provider, operation, at, id)`
  yield* sql`
    CREATE TABLE wire_rounds (
      provider text PRIMARY KEY,
      next_at timestamptz NOT NULL,
      round jsonb
    )`
})
