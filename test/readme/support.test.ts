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

  it.live("counts chains and assets as the README does", function* () {
    const [, after = ""] = (yield* supportDocument).split("## Chains and providers")
    const [table = ""] = after.split("\n## ")
    const cellsOf = (row: string) => row.split("|").slice(1, -1).map((cell) => cell.trim())
    const [names = [], , ...chains] = table.split("\n").filter((line) => line.startsWith("| ")).map(cellsOf)
    const counted = names.slice(1).map((name, index) => {
      const counts = chains.flatMap((row) =>
        row[index + 1]?.match(/[0-9]+/g)?.map(Number).toSorted().at(-1) ?? []
      )
      return [name, `${counts.length}`, `${counts.reduce((sum, one) => sum + one, 0)}`]
    })
    const readme = Deno.readTextFileSync(new URL("../../README.md", import.meta.url)).split("\n")
    for (const row of counted) {
      const shown = readme.find((line) => line.startsWith(`| ${row[0]} |`)) ?? ""
      assert.deepStrictEqual(cellsOf(shown).slice(0, 3), row)
    }
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
