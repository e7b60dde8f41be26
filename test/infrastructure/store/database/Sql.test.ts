import { assert, describe, it, layer } from "#test/support/it.ts"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { migrations } from "../../../../migrations/mod.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { migrate } from "#infrastructure/store/database/migrate.ts"
import { keepTidy, sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { storeOperation } from "#infrastructure/store/database/storeOperation.ts"
import { embeddedStore, stores } from "#test/support/store.ts"

/** How the planner finds one swap. */
const lookUp = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [step] = yield* sql<{ readonly "QUERY PLAN": string }>`EXPLAIN SELECT FROM swaps WHERE id = 1`
  return step?.["QUERY PLAN"] ?? ""
})

for (const store of stores) {
  layer(store.database)(`Sql on ${store.name}`, (it) => {
    it.effect("keeps concurrent transactions apart", function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE counters (value bigint NOT NULL)`
      yield* sql`INSERT INTO counters VALUES (0)`
      const increment = sql.withTransaction(Effect.gen(function* () {
        const [row] = yield* sql<{ value: bigint }>`SELECT value FROM counters FOR UPDATE`
        yield* Effect.yieldNow
        yield* sql`UPDATE counters SET value = ${(row?.value ?? 0n) + 1n}`
      }))
      yield* Effect.all(Array.from({ length: 40 }, () => increment), { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* sql`SELECT value FROM counters`, [{ value: 40n }])
    })

    it.effect("rolls back what fails or is interrupted inside a transaction, and goes on", function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE kept (value bigint NOT NULL)`
      const insert = sql`INSERT INTO kept VALUES (1)`
      yield* Effect.exit(sql.withTransaction(Effect.andThen(insert, sql`SELECT nonsense`)))
      yield* Effect.exit(sql.withTransaction(Effect.andThen(insert, Effect.interrupt)))
      yield* sql`INSERT INTO kept VALUES (2)`
      assert.deepStrictEqual(yield* sql`SELECT value FROM kept`, [{ value: 2n }])
    })

    it.effect("carries amounts of 78 digits, hashes, times and JSON exactly", function* () {
      const sql = yield* SqlClient.SqlClient
      const amount = "9".repeat(78)
      const hash = new Uint8Array([0, 255, 7])
      const time = new Date(1_785_333_864_123)
      const rows = yield* sql`
          SELECT ${amount}::numeric(78, 0) AS amount, ${hash} AS hash, ${time} AS time,
            ${'{"a":"0.1"}'}::jsonb AS json`
      assert.deepStrictEqual(rows, [{ amount, hash, time, json: { a: "0.1" } }])
    })

    it.effect("brings the tables up to date once, however often and by how many it is asked", function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.all([migrate, migrate, migrate], { concurrency: "unbounded" })
      const rows = yield* sql<{ readonly migration_id: number; readonly name: string }>`
          SELECT migration_id, name FROM migrations ORDER BY migration_id`
      assert.deepStrictEqual(
        rows.map(({ migration_id: id, name }) => `${id}`.padStart(4, "0") + `_${name}`),
        Object.keys(migrations),
      )
    })

    it.effect("is tidied every ten minutes, so that its log does not grow without end", function* () {
      const sql = yield* SqlClient.SqlClient
      const lastCheckpoint = sql`SELECT checkpoint_lsn::text AS lsn FROM pg_control_checkpoint()`
      const before = yield* lastCheckpoint
      yield* Effect.forkScoped(keepTidy(sql))
      yield* sql`CREATE TABLE untidy (value bigint NOT NULL)`
      yield* TestClock.adjust("10 minutes")
      const after = yield* Effect.repeat(lastCheckpoint, { until: ([row]) => row?.lsn !== before[0]?.lsn })
      assert.notDeepEqual(after, before)
    })

    it.effect("calls a wrong statement a defect, not an unavailable store", function* () {
      const sql = yield* SqlClient.SqlClient
      const exit = yield* Effect.exit(sql`SELECT nonsense`.pipe(storeOperation("Test")))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  })
}

layer(embeddedStore.database)("Sql", (it) => {
  it.effect("plans for swaps to come although it was tidied when there was none", function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`VACUUM (ANALYZE)`
    assert.match(yield* lookUp, /^Seq Scan/)
    yield* Effect.forkScoped(keepTidy(sql))
    yield* TestClock.adjust("10 minutes")
    yield* Effect.repeat(lookUp, { until: (plan) => /^Index (Only )?Scan/.test(plan) })
  })
})

describe("Sql", () => {
  it.live("plans for swaps to come from the start", function* () {
    const database = yield* Layer.build(sqlLayer(DatabaseLocation.Memory()))
    assert.match(yield* Effect.provideContext(lookUp, database), /^Index (Only )?Scan/)
  })

  it.live("says which server does not answer and why, without its password", function* () {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 })
    const { port } = listener.addr
    listener.close()
    const location = DatabaseLocation.Server({
      url: Redacted.make(`postgres://user:hidden@127.0.0.1:${port}/test`),
      maximumConnections: 2,
    })
    const error = yield* Effect.flip(Effect.scoped(Layer.build(sqlLayer(location))))
    assert.strictEqual(error._tag, "DatabaseUnusable")
    assert.match(error.message, /^The database 127\.0\.0\.1:[0-9]+\/test cannot be used: .*ECONNREFUSED/)
    assert.match(error.message, /Check DATABASE_URL/)
    assert.notInclude(Deno.inspect(error), "hidden")
  })
})
