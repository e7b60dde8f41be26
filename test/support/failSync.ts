/** Writes a row into the embedded database of a folder, then another one when the disk takes no more. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fs from "node:fs"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"

const [folder = ""] = Deno.args

const broken = () => {
  throw Object.assign(new Error("the disk is gone"), { code: "EIO" })
}

const work = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE numbers (number integer PRIMARY KEY)`
  yield* sql`INSERT INTO numbers VALUES (1)`
  fs.fdatasyncSync = broken
  yield* Effect.exit(sql`INSERT INTO numbers VALUES (2)`)
  yield* sql`SELECT 1`
})

await Effect.runPromise(Effect.provide(work, sqlLayer(DatabaseLocation.Folder({ folder }))))
