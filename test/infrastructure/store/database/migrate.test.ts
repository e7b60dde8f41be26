import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { migrations, unnoticed } from "../../../../migrations/mod.ts"
import { Health } from "#infrastructure/ops/Health.ts"
import {
  appliedMigrations,
  migrate,
  migrateWith,
  migrationStanding,
} from "#infrastructure/store/database/migrate.ts"
import { collectLogs } from "#test/support/collectLogs.ts"
import { stores } from "#test/support/store.ts"

const change = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE accounts ADD COLUMN later text`)
const another = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE latest (id bigint NOT NULL)`)

/** The changes of a later version: these, after all of this one. */
const later = (more: Readonly<Record<string, typeof change>>, unnoticedOfThem: ReadonlyArray<string>) => ({
  migrations: { ...migrations, ...more },
  unnoticed: [...unnoticed, ...unnoticedOfThem],
})

const noticed = later({ "9001_later": change }, [])
const both = later({ "9001_later": change, "9002_latest": another }, ["9002_latest"])
const allUnnoticed = later({ "9001_later": change, "9002_latest": another }, ["9001_later", "9002_latest"])

for (const { database, name } of stores) {
  const place = Health.layer.pipe(Layer.provideMerge(Layer.fresh(database)))

  describe(`An older version on a database of a later one, on ${name}`, () => {
    it.live("is refused with what it would go wrong with and what to do, and changes nothing", () =>
      Effect.gen(function* () {
        const { lines, value } = yield* collectLogs(migrateWith(noticed))
        assert.deepStrictEqual(value, ["9001_later"])
        assert.deepStrictEqual(lines, ["The database was changed: 9001_later"])
        const error = yield* Effect.flip(migrate)
        assert.strictEqual(error._tag, "DatabaseTooNew")
        assert.match(error.message, /it has had 9001_later, which version \S+ does not know/)
        assert.match(error.message, /Start the version that ran last, .* restore the copy/)
        assert.deepStrictEqual(yield* appliedMigrations, [...Object.keys(migrations), "9001_later"])
      }).pipe(Effect.provide(place)))

    it.live("is not ready from the moment on that a later version makes such a change beside it", () =>
      Effect.gen(function* () {
        const { ready } = yield* Health
        yield* ready
        yield* migrateWith(noticed)
        const error = yield* Effect.flip(ready)
        assert.strictEqual(error._tag === "NotReady" && error.reason, "newer")
      }).pipe(Effect.provide(place)))

    it.live("starts and stays ready where it does not notice the changes, and says so", () =>
      Effect.gen(function* () {
        const { ready } = yield* Health
        yield* migrateWith(allUnnoticed)
        const { lines, value } = yield* collectLogs(migrate)
        assert.deepStrictEqual(value, [])
        assert.match(lines.join("\n"), /a later version, with which this one works: 9001_later, 9002_latest/)
        yield* ready
        assert.deepStrictEqual(yield* migrateWith(allUnnoticed), [])
      }).pipe(Effect.provide(place)))

    it.live("is refused because of one change that it would notice among others", () =>
      Effect.gen(function* () {
        yield* migrateWith(both)
        const error = yield* Effect.flip(migrate)
        assert.strictEqual(error._tag === "DatabaseTooNew" && error.changes.join(), "9001_later")
        const standing = yield* migrationStanding
        assert.deepStrictEqual(standing, {
          isNew: false,
          pending: [],
          tooNew: ["9001_later"],
          unnoticed: ["9002_latest"],
        })
      }).pipe(Effect.provide(place)))

    it.live("is refused by changes that are made without a word about it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`ALTER TABLE migrations DROP COLUMN IF EXISTS is_unnoticed`
        yield* sql`INSERT INTO migrations (migration_id, name) VALUES (9001, 'later')`
        assert.strictEqual((yield* Effect.flip(migrate))._tag, "DatabaseTooNew")
      }).pipe(Effect.provide(place)))
  })
}
