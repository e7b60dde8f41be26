import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../migrations/mod.ts"
import { stores } from "../support/store.ts"

const { "0006_idempotency_keys": withLeases, ...earlier } = migrations

for (const store of stores) {
  layer(store.database, { timeout: "60 seconds" })(`The migration to leases on ${store.name}`, (it) => {
    it.effect("gives openings that are under way meanwhile time to come to their end", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const migrated = Effect.gen(function* () {
          // Where no migration has been yet.
          yield* sql`CREATE SCHEMA earlier`
          yield* sql`SET LOCAL search_path = earlier`
          yield* Effect.forEach(Object.values(earlier), (migration) => migration, { discard: true })
          yield* sql`INSERT INTO accounts (name, commission_bps, created_at) VALUES ('one', 0, now())`
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
