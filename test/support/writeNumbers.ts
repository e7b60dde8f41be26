/** Writes one row after the other into the embedded database of a folder, and says each that is written. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"

const [folder = ""] = Deno.args

const writeForever = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (let number = 1;; number++) {
    yield* sql`INSERT INTO numbers VALUES (${number})`
    console.log(number)
  }
})

await Effect.runPromise(Effect.provide(writeForever, sqlLayer(DatabaseLocation.Folder({ folder }))))
