import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../migrations/mod.ts"
import { stores } from "../../support/store.ts"
import { tablesBefore } from "../../support/tablesBefore.ts"

const { "0006_idempotency_keys": withLeases } = migrations

for (const store of stores) {
  layer(store.database)(`The migration to leases on ${store.name}`, (it) => {
    it.effect("gives openings that are under way meanwhile time to come to their end", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const migrated = Effect.gen(function* () {
          yield* tablesBefore("0006_idempotency_keys")
          for (const opening of ["requested", "unknown"]) {
            yield* sql`
              INSERT INTO swaps (account_id, platform, opening, request, created_at, updated_at)
              VALUES (1, 'chainflip', ${opening}, '{}', '2026-01-01T00:00:00Z', now())`
          }
          yield* withLeases
          return yield* sql`SELECT opening_lease_until FROM swaps ORDER BY id`
        })
        assert.deepStrictEqual(yield* sql.withTransaction(migrated), [
          { opening_lease_until: new Date("2026-01-01T00:05:00Z") },
          { opening_lease_until: null },
        ])
      }))
  })
}
