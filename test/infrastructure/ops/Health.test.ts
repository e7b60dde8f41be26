import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Health } from "#infrastructure/ops/Health.ts"
import { stores } from "#test/support/store.ts"

const reason = Effect.gen(function* () {
  const { ready } = yield* Health
  const failure = yield* Effect.flip(ready)
  return failure._tag === "NotReady" ? failure.reason : failure._tag
})

for (const { database, name } of stores) {
  const health = Health.layer.pipe(Layer.provideMerge(database))

  describe(`Health over ${name}`, () => {
    it.live("is ready until the process is to stop", () =>
      Effect.gen(function* () {
        const { drain, ready } = yield* Health
        yield* ready
        yield* drain
        assert.strictEqual(yield* reason, "draining")
      }).pipe(Effect.provide(health)))

    it.live("is not ready where the database lacks a change", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DELETE FROM migrations WHERE migration_id = (SELECT max(migration_id) FROM migrations)`
        assert.strictEqual(yield* reason, "migrations")
      }).pipe(Effect.provide(health)))
  })
}
