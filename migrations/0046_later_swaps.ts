import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Each further deposit to a channel that becomes a swap has a row of its own, with the coordinates of the channel
 * (`shares_channel`, as only the first owns them) and `isLater` in its record of it; before, it took the place of the
 * first. What its upstream numbers is one row, whoever sees it first. Rows that shared a channel before are no such.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE UNIQUE INDEX swaps_later ON swaps
      (account_id, platform, channel_id, issued_block, network, (status ->> 'swapId'))
    WHERE shares_channel AND status #>> '{depositChannel,isLater}' = 'true'`
})
