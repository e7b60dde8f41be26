import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../migrations/mod.ts"
import { stores } from "../../support/store.ts"
import { tablesBefore } from "../../support/tablesBefore.ts"

const { "0017_late_money": lateMoney } = migrations

const expired = { isExpired: true }
const payment = { amount: "5", transactionReference: "0xpaid" }

/** Swaps that nobody asked for any more, but for the followed ones, and whether they are asked for again. */
const rows: ReadonlyArray<readonly [state: string, status: object, again: boolean, followed?: boolean]> = [
  ["waiting", { depositChannel: expired }, true],
  ["failed", { depositChannel: expired }, true],
  ["sending", {}, true],
  ["completed", { refundEgress: { amount: "5" } }, true],
  ["completed", { swapEgress: payment }, false],
  ["completed", { refundEgress: payment }, false],
  ["waiting", { depositChannel: { isExpired: false } }, true, true],
]

for (const store of stores) {
  layer(store.database)(`The migration for late money on ${store.name}`, (it) => {
    it.effect("takes swaps up again that no payment proves the end of, and counts no expired channel", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const migrated = Effect.gen(function* () {
          yield* tablesBefore("0017_late_money")
          for (const [index, [state, status, , followed = false]] of rows.entries()) {
            yield* sql`
              INSERT INTO swaps (account_id, platform, opening, request, channel_id, state, status, created_at,
                updated_at, next_lookup_at)
              VALUES (1, 'near-intents', 'opened', '{}', ${index}, ${state}, ${JSON.stringify(status)}::jsonb,
                '2026-01-01', '2026-01-02', ${followed ? "2026-01-03" : null}::timestamptz)`
          }
          yield* lateMoney
          return {
            swaps: yield* sql`
              SELECT next_lookup_at BETWEEN now() AND now() + interval '1 day' AS again,
                changed_at = '2026-01-02' AS changed
              FROM swaps ORDER BY id`,
            accounts: yield* sql`SELECT open_channels FROM accounts`,
          }
        })
        assert.deepStrictEqual(yield* sql.withTransaction(migrated), {
          swaps: rows.map(([, , again, followed]) => ({
            again: followed === true ? false : again ? true : null,
            changed: true,
          })),
          // The one that is sending and the one that waits.
          accounts: [{ open_channels: 2 }],
        })
      }))
  })
}
