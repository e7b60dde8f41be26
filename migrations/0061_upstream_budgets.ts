import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What processes leave of the calls that upstreams allow in a minute, for the one that follows within it. A process that was
 * killed has not ended. A version before this one says nothing: the first start after it counts as after such an end.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE upstream_budgets (
      process text PRIMARY KEY,
      at timestamptz NOT NULL,
      ended boolean NOT NULL,
      -- Calls that could be made at once, by limit.
      calls jsonb NOT NULL
    )`
  yield* sql`
    INSERT INTO upstream_budgets (process, at, ended, calls)
    SELECT 'an earlier version', now(), false, '{}' WHERE EXISTS (SELECT 1 FROM accounts)`
})
