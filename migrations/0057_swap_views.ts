import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Few swaps end otherwise than completed, and of few the last look-up failed: lists of them are read by these. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX swap_ends_outcome ON swap_ends (outcome, swap_id) WHERE outcome <> 'completed'`
  yield* sql`
    CREATE INDEX swap_ends_account_outcome ON swap_ends (account_id, outcome, swap_id) WHERE outcome <> 'completed'`
  yield* sql`CREATE INDEX swap_ends_ended ON swap_ends (outcome, ended_at, swap_id) WHERE outcome <> 'completed'`
  yield* sql`CREATE INDEX swaps_unanswered ON swaps (id) WHERE lookup_failures > 0`
})
