import { assert, layer } from "#test/support/it.ts"
import { Cause, Effect, Exit } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { ServerRefusal, storeOperation } from "#infrastructure/store/database/storeOperation.ts"
import { stores } from "#test/support/store.ts"

const address = "bc1qsecret"

type Statement = (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError.SqlError>

/** What an operation of this statement ends with, and everything of it that a log could show. */
const ending = Effect.fnUntraced(function* (statement: Statement) {
  const sql = yield* SqlClient.SqlClient
  const exit = yield* Effect.exit(storeOperation("Test.write")(statement(sql)))
  assert(Exit.isFailure(exit))
  const defects = exit.cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
  const errors = exit.cause.reasons.filter(Cause.isFailReason).map(({ error }) => error)
  return { defects, errors, shown: Deno.inspect([...defects, ...errors], { depth: 20, showHidden: true }) }
})

const raise = (code: string): Statement => (sql) =>
  sql.unsafe(`DO $$ BEGIN
    RAISE EXCEPTION 'it failed' USING ERRCODE = '${code}', DETAIL = '${address}', HINT = '${address}';
  END $$`)

/** Data that the server cannot store, and the class 22 state that it gives. */
const unstorable: ReadonlyArray<readonly [what: string, sqlState: string, statement: Statement]> = [
  ["a zero in jsonb", "22P05", (sql) => sql`SELECT ${`{"a":"${address}\\u0000"}`}::jsonb`],
  ["half of a pair in jsonb", "22P02", (sql) => sql`SELECT ${`{"a":"${address}\\ud800"}`}::jsonb`],
  ["a zero in text", "22021", (sql) => sql`SELECT ${`${address}\0`}::text`],
  ["text for a number", "22P02", (sql) => sql`SELECT ${address}::text::numeric`],
  ["whatever the server says so of", "22000", raise("22000")],
]

for (const store of stores) {
  layer(store.database)(`What the database refuses on ${store.name}`, (it) => {
    it.effect.each(unstorable)(
      "is a fault of the data where that is %s, and not told of it",
      function* ([, sqlState, statement]) {
        const { defects: [defect], shown } = yield* ending(statement)
        assert.instanceOf(defect, ServerRefusal)
        assert.strictEqual(
          defect.message,
          `The database refused Test.write with ${sqlState}: this data cannot be stored`,
        )
        assert.notInclude(shown, address)
      },
    )

    it.effect("is told without the values of a row that was there already", function* () {
      const { defects: [defect], shown } = yield* ending((sql) =>
        sql.withTransaction(Effect.andThen(
          sql`CREATE TABLE refused (a text CONSTRAINT only_once UNIQUE)`,
          sql`INSERT INTO refused VALUES (${address}), (${address})`,
        ))
      )
      assert.instanceOf(defect, ServerRefusal)
      assert.strictEqual(defect.sqlState, "23505")
      assert.strictEqual(defect.constraint, "only_once")
      assert.notInclude(shown, address)
    })

    it.effect("is no fault of ours where the server has no room, and told as little", function* () {
      const { errors: [error], shown } = yield* ending(raise("53100"))
      assert.instanceOf(error, StoreUnavailable)
      assert.include(`${error.cause}`, "53100: it failed")
      assert.notInclude(shown, address)
    })
  })
}
