/** What /status-by-id comes down to, written by hand: one look into an index of the database in `DATA_DIR`. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"

const folder = Deno.env.get("DATA_DIR") ?? ""

const notFound = Response.json({ title: "Not Found" }, { status: 404 })

const program = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const answer = (id: string) =>
    Effect.map(
      sql`SELECT platform, status FROM swaps WHERE id = ${id} AND account_id = 1 AND state IS NOT NULL`,
      ([row]) => row === undefined ? notFound.clone() : Response.json({ id, ...row }),
    )
  yield* Effect.promise(() =>
    Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}`),
    }, (request) => Effect.runPromise(answer(new URL(request.url).searchParams.get("swapId") ?? "")))
      .finished
  )
})

await Effect.runPromise(Effect.provide(program, sqlLayer(DatabaseLocation.Folder({ folder }))))
