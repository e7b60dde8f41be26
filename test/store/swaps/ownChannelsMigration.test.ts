import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../migrations/mod.ts"
import { collectLogs } from "../../support/collectLogs.ts"
import { stores } from "../../support/store.ts"
import { tablesBefore } from "../../support/tablesBefore.ts"

const { "0016_own_channels": ownChannels } = migrations

/** What was opened and asked for, and what the status says of it. */
const rows: ReadonlyArray<readonly [platform: string, channelId: number, address: string, status: object]> = [
  ["chainflip", 7, "bc1qours", {
    depositChannel: { depositAddress: "bc1qours" },
    destinationAddress: "0xAb",
  }],
  ["chainflip", 7, "bc1qtwin", { depositChannel: { depositAddress: "thief" }, destinationAddress: "0xab" }],
  ["near-intents", 7, "bc1qother", { destinationAddress: "thief", fillOrKill: { refundAddress: "thief" } }],
]

const request = { destinationAddress: "0xab", refundAddress: "bc1qback" }

for (const store of stores) {
  layer(store.database)(
    `The migration to channels of one swap on ${store.name}`,
    (it) => {
      it.effect("keeps both of two swaps with one channel, says so, and brings our own addresses back", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const insert = ([platform, channelId, address, status]: (typeof rows)[number]) =>
            sql`
            INSERT INTO swaps (account_id, platform, opening, request, issued_block, network, channel_id,
              deposit_address, state, status, created_at, updated_at)
            VALUES (1, ${platform}, 'opened', ${JSON.stringify(request)}::jsonb, 5, 'Bitcoin', ${channelId},
              ${address}, 'waiting', ${JSON.stringify(status)}::jsonb, now(), now())`
          const migrated = Effect.gen(function* () {
            yield* tablesBefore("0016_own_channels")
            yield* Effect.forEach(rows, insert)
            yield* ownChannels
            return {
              swaps: yield* sql`
              SELECT shares_channel, status #>> '{depositChannel,depositAddress}' AS deposit,
                status->>'destinationAddress' AS destination, status #>> '{fillOrKill,refundAddress}' AS refund
              FROM swaps ORDER BY id`,
              journal: yield* sql`SELECT swap_id, kind FROM swap_journal ORDER BY id`,
              again: yield* Effect.result(sql.withTransaction(Effect.forEach(rows.slice(0, 1), insert))),
            }
          })
          const { value, lines } = yield* collectLogs(sql.withTransaction(migrated))
          assert.deepStrictEqual(value.swaps, [
            { shares_channel: false, deposit: "bc1qours", destination: "0xAb", refund: null },
            { shares_channel: true, deposit: "bc1qtwin", destination: "0xab", refund: null },
            { shares_channel: false, deposit: null, destination: "0xab", refund: "bc1qback" },
          ])
          assert.deepStrictEqual(value.journal, [
            { swap_id: 2n, kind: "changed" },
            { swap_id: 3n, kind: "changed" },
            { swap_id: 3n, kind: "changed" },
          ])
          assert.deepStrictEqual(lines, [
            "One channel is recorded for several swaps: ask the upstream whose it is (1, 2)",
          ])
          assert.strictEqual(value.again._tag, "Failure")
        }))
    },
  )
}
