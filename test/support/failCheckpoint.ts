/** Writes a row into the embedded database of a folder, then has it write a checkpoint where there is a folder. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"

const [folder = ""] = Deno.args

const work = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE numbers (number integer PRIMARY KEY)`
  yield* sql`INSERT INTO numbers VALUES (1)`
  yield* Effect.promise(() => Deno.mkdir(`${folder}/database/pg_logical/replorigin_checkpoint.tmp`))
  yield* Effect.ignore(sql`CHECKPOINT`)
  yield* sql`SELECT 1`
})

await Effect.runPromise(Effect.provide(work, sqlLayer(DatabaseLocation.Folder({ folder }))))
