import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What a provider's report card is read of besides: how its offers stood among others, and when its swaps stalled. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE provider_history ADD COLUMN offered bigint NOT NULL DEFAULT 0, ADD COLUMN best bigint NOT NULL DEFAULT 0`
  yield* sql`CREATE INDEX swap_journal_stalls ON swap_journal (recorded_at, swap_id) WHERE kind = 'stalled'`
})
