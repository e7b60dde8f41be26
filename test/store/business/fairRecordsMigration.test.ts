import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../migrations/mod.ts"
import { stores } from "../../support/store.ts"
import { tablesBefore } from "../../support/tablesBefore.ts"

const { "0045_fair_records": fairRecords } = migrations

const paid = { swapEgress: { amount: "1", witnessedAt: 96_000 } }
const back = { refundEgress: { amount: "1", transactionReference: "0x1" } }
const limit = { swap: { execution: { _tag: "regular", chunk: { abortedReason: "MinPriceViolation" } } } }

for (const store of stores) {
  layer(store.database)(`The migration to fair track records on ${store.name}`, (it) => {
    it.effect("takes the 0 seconds from refunds, and knows what accounts chose, of the ends that there are", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ends = sql`SELECT outcome, seconds, is_own FROM swap_ends ORDER BY swap_id`
        const migrated = Effect.gen(function* () {
          yield* tablesBefore("0045_fair_records")
          for (const told of [paid, back, { ...back, ...limit }]) {
            const status = JSON.stringify({
              state: "completed",
              sourceAsset: "btc.btc",
              destinationAsset: "eth.eth",
              deposit: { amount: "1", witnessedAt: 0 },
              ...told,
            })
            yield* sql`
              INSERT INTO swaps (account_id, platform, opening, request, state, status, created_at, updated_at)
              VALUES (1, 'chainflip', 'opened', '{}', 'waiting', '{}', now(), now())`
            yield* sql`UPDATE swaps SET state = 'completed', status = ${status}::text::jsonb WHERE state = 'waiting'`
          }
          const before = yield* sql`SELECT outcome, seconds FROM swap_ends ORDER BY swap_id`
          yield* fairRecords
          return { before, after: yield* ends }
        })
        assert.deepStrictEqual(yield* sql.withTransaction(migrated), {
          before: [
            { outcome: "completed", seconds: 96 },
            { outcome: "refunded", seconds: 0 },
            { outcome: "refunded", seconds: 0 },
          ],
          after: [
            { outcome: "completed", seconds: 96, is_own: false },
            { outcome: "refunded", seconds: null, is_own: false },
            { outcome: "refunded", seconds: null, is_own: true },
          ],
        })
      }))
  })
}
