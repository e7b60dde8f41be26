import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import type { Place } from "../place.ts"
import type { RecordedSwaps } from "./recordSwaps.ts"
import type { Crowd } from "./SwapBodies.ts"

/** After the service has started, and then over as long as they are looked up again. */
const startSeconds = 6

/**
 * Copies the two recorded swaps as often as the crowd says, each with a channel of its own, all of them due after
 * the start and spread over the interval in which they are asked about again.
 */
export const fill = (place: Place, { movingId, waitingId }: RecordedSwaps, crowd: Crowd) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const copies = (id: number, state: string, first: number, count: number, spreadSeconds: number) =>
      sql`
        WITH recorded AS (
          SELECT status FROM swap_journal WHERE swap_id = ${id} AND status ->> 'state' = ${state}
          ORDER BY id LIMIT 1
        )
        INSERT INTO swaps (
          account_id, platform, opening, request, issued_block, network, channel_id, deposit_address,
          source_expiry_block, opening_fee, state, status, created_at, updated_at, looked_up_at,
          next_lookup_at, seen_upstream
        )
        SELECT account_id, platform, opening, request, issued_block, network, channel, deposit_address,
          source_expiry_block, opening_fee, ${state},
          jsonb_set(recorded.status, '{depositChannel,id,channelId}', to_jsonb(channel)),
          created_at, now(), now(), now() + interval '1 second' * (
            ${startSeconds}::int + ${spreadSeconds}::float8 * (channel - ${first}::int) / ${count}::int
          ), true
        FROM swaps, recorded, generate_series(${first}::int, ${first + count - 1}::int) AS channel
        WHERE swaps.id = ${id}`

    yield* sql`UPDATE swaps SET next_lookup_at = NULL`
    // Counting them one by one takes longer than all the rest.
    yield* sql`ALTER TABLE swaps DISABLE TRIGGER swaps_channel_asked_for`
    yield* copies(waitingId, "waiting", crowd.firstChannel, crowd.waiting, 30)
    yield* copies(movingId, "receiving", crowd.firstChannel + crowd.waiting, crowd.moving, 6)
    yield* sql`ALTER TABLE swaps ENABLE TRIGGER swaps_channel_asked_for`
    yield* sql`UPDATE accounts SET open_channels = open_channels + ${crowd.waiting + crowd.moving}`
    yield* sql`ANALYZE swaps`
  }).pipe(Effect.provide(sqlLayer(place.location)))
