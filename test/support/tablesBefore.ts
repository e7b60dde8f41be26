import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../migrations/mod.ts"

/**
 * The tables as they were before a migration, with an account whose id is 1: where no migration has been yet, which
 * is a schema that the transaction looks into until it ends.
 */
export const tablesBefore = Effect.fnUntraced(function* (name: keyof typeof migrations) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE SCHEMA earlier`
  yield* sql`SET LOCAL search_path = earlier`
  for (const [other, change] of Object.entries(migrations)) {
    if (other < name) yield* change
  }
  yield* sql`INSERT INTO accounts (name, commission_bps, created_at) VALUES ('one', 0, now())`
})
