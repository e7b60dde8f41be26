import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../migrations/mod.ts"
import { stores } from "../../support/store.ts"
import { tablesBefore } from "../../support/tablesBefore.ts"

const { "0027_unique_addresses": uniqueAddresses } = migrations

for (const store of stores) {
  layer(store.database)(
    `The migration to unique addresses on ${store.name}`,
    (it) => {
      it.effect("gives an address to the first swap that had it, of upstreams that give each out once", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const migrated = Effect.gen(function* () {
            yield* tablesBefore("0027_unique_addresses")
            const swaps = [["near-intents", "a"], ["near-intents", "a"], ["near-intents", "b"], [
              "chainflip",
              "a",
            ]]
            for (const [index, [platform, address]] of swaps.entries()) {
              yield* sql`
              INSERT INTO swaps (account_id, platform, opening, request, issued_block, network, channel_id,
                deposit_address, state, status, created_at, updated_at)
              VALUES (1, ${platform}, 'opened', '{}', ${index}, 'Bitcoin', 1, ${address}, 'waiting', '{}', now(), now())`
            }
            yield* uniqueAddresses
            return yield* sql`SELECT unique_address FROM swaps ORDER BY id`
          })
          assert.deepStrictEqual(
            (yield* sql.withTransaction(migrated)).map((row) => row["unique_address"]),
            ["a", null, "b", null],
          )
        }))
    },
  )
}
