import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Some upstreams give each deposit address out once and for all: a second time is a replay of somebody's order,
 * whatever coordinates the channel has. Others use addresses again when their channels have expired, and their swaps
 * have none here. Of swaps from before, the first of each address has it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE swaps ADD COLUMN unique_address text`
  yield* sql`
    UPDATE swaps SET unique_address = deposit_address
    WHERE id IN (
      SELECT min(id) FROM swaps WHERE platform = 'near-intents' AND deposit_address IS NOT NULL
      GROUP BY deposit_address
    )`
  yield* sql`
    CREATE UNIQUE INDEX swaps_address_owner ON swaps (unique_address, platform) WHERE unique_address IS NOT NULL`
})
