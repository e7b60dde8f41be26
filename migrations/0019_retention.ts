import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Finds what nobody needs any more without reading the rest. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX swaps_refused ON swaps (created_at) WHERE opening = 'refused'`
  yield* sql`CREATE INDEX vault_swap_payloads_expired ON vault_swap_payloads (expires_at)`
})
