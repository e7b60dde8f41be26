import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What openings of a provider's channels have cost of late, by account: of those that were paid for, or may have been.
 * No column of it changes after the opening.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE INDEX swaps_spending ON swaps (platform, created_at) INCLUDE (account_id, opening_fee)
    WHERE channel_id IS NOT NULL OR opening IN ('requested', 'unknown')`
})
