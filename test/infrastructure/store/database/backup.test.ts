import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { lockFolder } from "#infrastructure/platform/lock.ts"
import { backup, restore } from "#infrastructure/store/database/backup.ts"
import { checkpointTurns } from "#infrastructure/store/database/EmbeddedDatabase.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { keepTidy, sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { folderInMemory } from "#test/support/folder.ts"
import { preparedFolderInMemory } from "#test/support/prepared/database.ts"
import { embeddedStore } from "#test/support/store.ts"

const using = <A, E>(folder: string, use: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(use, sqlLayer(DatabaseLocation.Folder({ folder })))

const query = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))

/** The only value that a statement gives, as text. */
const valueOf = (text: string) => Effect.map(query(text), ([row]) => `${Object.values(row ?? {})[0]}`)

const lastCheckpoint = valueOf("SELECT checkpoint_lsn::text FROM pg_control_checkpoint()")

/** Repeats work as long as other work goes on. */
const during = <A, E, R, E2, R2>(work: Effect.Effect<A, E, R>, repeated: Effect.Effect<unknown, E2, R2>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(work)
    let turns = 0
    while (fiber.pollUnsafe() === undefined) {
      yield* repeated
      turns++
      // The embedded database leaves no time for files by itself.
      yield* Effect.sleep(1)
    }
    return { exit: yield* Fiber.await(fiber), turns }
  })

describe("a backup", () => {
  it.live("has every row that was there before it began, although rows are written meanwhile", function* () {
    const folder = yield* preparedFolderInMemory
    const home = yield* folderInMemory
    const written = yield* using(
      folder,
      Effect.gen(function* () {
        yield* query("CREATE TABLE numbers (number serial PRIMARY KEY, filler text)")
        const insert = query(
          "INSERT INTO numbers (filler) SELECT repeat(md5(random()::text), 30) FROM generate_series(1, 20)",
        )
        yield* Effect.repeat(insert, { times: 50 })
        yield* query("DELETE FROM numbers WHERE number % 3 = 0")
        const before = yield* valueOf("SELECT count(*) FROM numbers")
        const { exit, turns } = yield* during(backup(folder, `${home}/backup`), insert)
        assert.strictEqual(exit._tag, "Success")
        assert.isAbove(turns, 10)
        return Number(before)
      }),
    )
    yield* restore(`${home}/backup`, `${home}/restored`)
    yield* using(
      `${home}/restored`,
      Effect.gen(function* () {
        const found = yield* valueOf("SELECT count(*) FROM numbers")
        assert.isAtLeast(Number(found), written)
        assert.strictEqual(yield* valueOf("SELECT count(DISTINCT number) FROM numbers"), found)
        // Each row by the index, too.
        yield* query("SET enable_seqscan = off")
        assert.strictEqual(yield* valueOf("SELECT count(*) FROM numbers WHERE number > 0"), found)
      }),
    )
  })

  it.live("is none where a checkpoint was written meanwhile, and says to make it again", function* () {
    const folder = yield* preparedFolderInMemory
    const home = yield* folderInMemory
    const { exit } = yield* using(folder, during(backup(folder, `${home}/backup`), query("CHECKPOINT")))
    assert.strictEqual(exit._tag, "Failure")
    assert.match(`${exit}`, /BackupOvertaken/)
    assert.deepStrictEqual([...Deno.readDirSync(home)], [])
  })

  it.live("is not made twice at a time, nor of a folder that a process has which would not wait", function* () {
    const folder = yield* preparedFolderInMemory
    const home = yield* folderInMemory
    yield* lockFolder(folder)
    const refused = yield* Effect.flip(backup(folder, `${home}/backup`))
    assert.strictEqual(refused._tag, "FolderInUse")
  })
})

/** Lets a turn of the upkeep pass. The embedded database leaves no time for the lock of a folder by itself. */
const turn = Effect.andThen(TestClock.adjust("20 seconds"), TestClock.withLive(Effect.sleep("20 millis")))

const nextCheckpoint = (before: string) =>
  Effect.repeat(Effect.andThen(turn, lastCheckpoint), { until: (latest) => latest !== before })

describe("the upkeep of a folder's database", () => {
  it.effect("writes no checkpoint while a backup is made, and the next one after it", function* () {
    const folder = yield* folderInMemory
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = yield* lastCheckpoint
      yield* Effect.forkScoped(keepTidy(sql, { turns: yield* checkpointTurns(folder, "begin") }))
      yield* sql`CREATE TABLE untidy (value bigint NOT NULL)`
      yield* Effect.scoped(Effect.gen(function* () {
        const { hold } = yield* checkpointTurns(folder, "join")
        assert.isTrue(yield* hold)
        yield* Effect.repeat(turn, { times: 3 })
        assert.strictEqual(yield* lastCheckpoint, before)
      }))
      yield* nextCheckpoint(before)
    }).pipe(Effect.provide(embeddedStore.database))
  })

  it.effect("writes one all the same once the log is as long as it may be", function* () {
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = yield* lastCheckpoint
      yield* sql`CREATE TABLE untidy (value bigint NOT NULL)`
      const held = { ifFree: () => Effect.succeedNone }
      yield* Effect.forkScoped(keepTidy(sql, { turns: held, mostLog: 1 }))
      yield* nextCheckpoint(before)
    }).pipe(Effect.provide(embeddedStore.database))
  })
})
