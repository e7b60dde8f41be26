import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../migrations/mod.ts"
import { stores } from "../../support/store.ts"
import { tablesBefore } from "../../support/tablesBefore.ts"

const { "0010_journal": withJournal } = migrations

for (const store of stores) {
  layer(store.database)(`The migration to journals on ${store.name}`, (it) => {
    it.effect("begins the journal of each swap with what is known of it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const migrated = Effect.gen(function* () {
          yield* tablesBefore("0010_journal")
          yield* sql`
            INSERT INTO swaps (account_id, platform, opening, request, created_at, updated_at)
            VALUES (1, 'chainflip', 'unknown', '{}', now(), now())`
          for (const [state, next] of [["sending", "2026-01-02"], ["completed", null]]) {
            yield* sql`
              INSERT INTO swaps (account_id, platform, opening, request, state, status, created_at, updated_at,
                next_lookup_at)
              VALUES (1, 'chainflip', 'opened', '{}', ${state}, jsonb_build_object('state', ${state}::text), now(),
                '2026-01-01T00:00:00Z', ${next}::timestamptz)`
          }
          yield* withJournal
          return {
            journal: yield* sql`
              SELECT swap_id, kind, recorded_at, status->>'state' AS state FROM swap_journal ORDER BY id`,
            stalls: yield* sql`SELECT id, stalls_at FROM swaps WHERE stalls_at IS NOT NULL`,
          }
        })
        const at = { kind: "imported", recorded_at: new Date("2026-01-01T00:00:00Z") }
        assert.deepStrictEqual(yield* sql.withTransaction(migrated), {
          journal: [{ swap_id: 2n, ...at, state: "sending" }, { swap_id: 3n, ...at, state: "completed" }],
          stalls: [{ id: 2n, stalls_at: new Date("2026-01-02T00:00:00Z") }],
        })
      }))
  })
}
