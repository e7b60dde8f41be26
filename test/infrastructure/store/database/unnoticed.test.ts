import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { migrations, unnoticed } from "../../../../migrations/mod.ts"
import { embeddedStore } from "#test/support/store.ts"

const Columns = Schema.Array(Schema.Struct({
  place: Schema.String,
  kind: Schema.String,
  /** Whether a statement that does not name the column can add a row. */
  is_optional: Schema.Boolean,
}))
const decodeColumns = Schema.decodeUnknownEffect(Columns)

/** The columns of every table at present, each with its place. */
const columnsNow = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT table_name || '.' || column_name AS place, data_type || coalesce(numeric_precision::text, '') AS kind,
      is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES' OR is_generated <> 'NEVER' AS is_optional
    FROM information_schema.columns WHERE table_schema = current_schema()`
  return new Map((yield* decodeColumns(rows)).map((column) => [column.place, column]))
})

type ColumnsNow = Effect.Success<typeof columnsNow>

const tableOf = (place: string): string => place.split(".")[0] ?? ""

/** What a version that does not know a change would stumble over. */
const obstacles = (before: ColumnsNow, after: ColumnsNow): ReadonlyArray<string> => {
  const known = new Set([...before.keys()].map(tableOf))
  const gone = [...before.values()].filter(({ kind, place }) => after.get(place)?.kind !== kind)
  const demanded = [...after.values()].filter(({ is_optional, place }) =>
    known.has(tableOf(place)) && !is_optional && before.get(place)?.is_optional !== false
  )
  return [
    ...gone.map(({ place }) => `${place} is gone or of another kind`),
    ...demanded.map(({ place }) => `${place} has to be written`),
  ]
}

/** The obstacles that a change puts up in a database that had all the changes before it, which is rolled back. */
const obstaclesOf = (change: Effect.Effect<unknown, unknown, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const before = yield* columnsNow
    yield* change
    return obstacles(before, yield* columnsNow)
  })

describe("changes that older versions do not notice", () => {
  it.live(
    "take no column away that those read, and ask for none that those do not write",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.withTransaction(Effect.gen(function* () {
          yield* sql`CREATE SCHEMA earlier`
          yield* sql`SET LOCAL search_path = earlier`
          for (const [name, change] of Object.entries(migrations)) {
            const found = yield* obstaclesOf(change)
            if (unnoticed.some((one) => one === name)) assert.deepStrictEqual(found, [], name)
          }
        }))
      }).pipe(Effect.provide(embeddedStore.database)),
  )

  it.live("would be told apart from those that rename, retype or demand a column", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const of = (statement: string) => obstaclesOf(sql`${sql.literal(statement)}`)
      assert.deepStrictEqual(yield* of("ALTER TABLE accounts ADD COLUMN one text"), [])
      assert.deepStrictEqual(yield* of("ALTER TABLE accounts ADD COLUMN two text NOT NULL DEFAULT ''"), [])
      assert.deepStrictEqual(yield* of("CREATE TABLE another (three text NOT NULL)"), [])
      assert.deepStrictEqual(yield* of("ALTER TABLE accounts ADD COLUMN four text NOT NULL"), [
        "accounts.four has to be written",
      ])
      assert.deepStrictEqual(yield* of("ALTER TABLE accounts RENAME COLUMN one TO five"), [
        "accounts.one is gone or of another kind",
      ])
      assert.deepStrictEqual(
        yield* of("ALTER TABLE another ALTER COLUMN three TYPE jsonb USING three::jsonb"),
        [
          "another.three is gone or of another kind",
        ],
      )
      assert.deepStrictEqual(yield* of("ALTER TABLE accounts ALTER COLUMN five SET NOT NULL"), [
        "accounts.five has to be written",
      ])
    }).pipe(Effect.provide(embeddedStore.database)))
})
