import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The language that a webhook's messages explain swaps in; before, they did not. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE webhooks ADD COLUMN language text NOT NULL DEFAULT 'en'`
})
