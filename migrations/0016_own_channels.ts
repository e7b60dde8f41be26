import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ ids: Schema.String })))

/**
 * A channel belongs to one swap: the upstream that gives one out a second time would have one account pay for
 * another. Which of two swaps from before has the deposits nobody can tell here, so both stay as they are, the
 * first as the owner of the channel, and the operator is told.
 */
const owners = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE swaps ADD COLUMN shares_channel boolean NOT NULL DEFAULT false`
  yield* sql`
    UPDATE swaps SET shares_channel = true FROM (
      SELECT id, row_number() OVER (PARTITION BY platform, issued_block, network, channel_id ORDER BY id) AS place
      FROM swaps WHERE channel_id IS NOT NULL
    ) AS places
    WHERE places.id = swaps.id AND place > 1`
  yield* sql`
    CREATE UNIQUE INDEX swaps_channel_owner ON swaps (platform, channel_id, issued_block, network)
    WHERE channel_id IS NOT NULL AND NOT shares_channel`
  const shared = yield* decodeIds(
    yield* sql`
      SELECT string_agg(id::text, ', ' ORDER BY id) AS ids FROM swaps
      WHERE channel_id IS NOT NULL
      GROUP BY platform, issued_block, network, channel_id HAVING count(*) > 1`,
  )
  yield* Effect.forEach(
    shared,
    ({ ids }) =>
      Effect.logWarning(`One channel is recorded for several swaps: ask the upstream whose it is (${ids})`),
    { discard: true },
  )
})

/**
 * Statuses took over what an upstream said of a swap. Where it said another deposit address than the one that was
 * opened, or another destination or refund address than was asked for, ours comes back; journals say so.
 */
const addresses = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const restore = (path: string, ours: string) =>
    sql`
      WITH restored AS (
        UPDATE swaps SET status = jsonb_set(status, ${sql.literal(`'${path}'`)}, to_jsonb(${
      sql.literal(ours)
    }))
        WHERE channel_id IS NOT NULL AND status #>> ${sql.literal(`'${path}'`)} IS NOT NULL
          AND lower(status #>> ${sql.literal(`'${path}'`)}) <> lower(${sql.literal(ours)})
        RETURNING id, status
      )
      INSERT INTO swap_journal (swap_id, kind, recorded_at, status)
      SELECT id, 'changed', now(), status FROM restored`
  yield* restore("{depositChannel,depositAddress}", "deposit_address")
  yield* restore("{destinationAddress}", "request->>'destinationAddress'")
  yield* restore("{fillOrKill,refundAddress}", "request->>'refundAddress'")
})

export default Effect.andThen(owners, addresses)
