import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { connectionLayer } from "#infrastructure/store/database/Sql.ts"
import { gatesRunOn, supportDocument, supportPlace } from "./supportPage.ts"

const serverUrl = Deno.env.get("TEST_DATABASE_URL")

describe("the page about what is supported", () => {
  it.live("says what the code does (deno task readme)", function* () {
    assert.strictEqual(Deno.readTextFileSync(supportPlace), yield* supportDocument)
  })

  if (serverUrl === undefined) return

  it.live("names the version of Postgres that this run has", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ readonly server_version: string }>`SHOW server_version`
      assert.strictEqual(/^\d+/.exec(row?.server_version ?? "")?.[0], gatesRunOn.postgres)
    }).pipe(
      Effect.provide(
        connectionLayer(DatabaseLocation.Server({ url: Redacted.make(serverUrl), maximumConnections: 1 })),
      ),
    ))
})
