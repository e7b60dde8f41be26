import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether agents may call `/mcp` with the keys of an account. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE accounts ADD COLUMN mcp boolean NOT NULL DEFAULT true`
})
