import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The terms of an account that replace a setting: limits, providers, tolerance. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE accounts ADD COLUMN own_terms jsonb NOT NULL DEFAULT '{}'`
})
