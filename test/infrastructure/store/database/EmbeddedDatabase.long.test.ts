import { assert, describe, it, vi } from "#test/support/it.ts"
import { Effect, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import fs from "node:fs"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { type DatabaseFailed, sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { folderInMemory } from "#test/support/folder.ts"
import { preparedDatabases, preparedFolderInMemory } from "#test/support/prepared/database.ts"

const openDatabase = (folder: string) => Layer.build(sqlLayer(DatabaseLocation.Folder({ folder })))

const using = <A, E>(folder: string, use: Effect.Effect<A, E, SqlClient.SqlClient | Scope.Scope>) =>
  Effect.provide(use, sqlLayer(DatabaseLocation.Folder({ folder })))

const query = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))

/** Runs a process that writes numbers until it has said `count` of them, then kills it; gives the last said. */
const writeUntilKilled = (folder: string, count: number) =>
  Effect.promise(async () => {
    const script = new URL("../../../support/writeNumbers.ts", import.meta.url).pathname
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", script, folder],
      stdout: "piped",
      stderr: "inherit",
    }).spawn()
    let said: ReadonlyArray<string> = []
    let rest = ""
    let isKilled = false
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n")
      rest = lines.pop() ?? ""
      said = [...said, ...lines]
      // What it had written before comes yet, and no process is killed twice.
      if (said.length >= count && !isKilled) child.kill("SIGKILL")
      isKilled = said.length >= count
    }
    await child.status
    return Number(said.at(-1))
  })

/** Runs a script of `test/support` over a folder to its end; it must not take minutes. */
const run = (script: string, folder: string) =>
  Effect.promise(async (signal) => {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", new URL(`../../../support/${script}`, import.meta.url).pathname, folder],
      signal,
      stdout: "null",
      stderr: "piped",
    })
    const { code, stderr } = await child.output()
    return { code, error: new TextDecoder().decode(stderr) }
  }).pipe(Effect.timeout("3 minutes"))

/** The calls of a method from now on, which are carried out, until the scope closes. */
const watch = <Spy extends { readonly mockRestore: () => void }>(spyOn: () => Spy) =>
  Effect.acquireRelease(Effect.sync(spyOn), (spy) => Effect.sync(() => spy.mockRestore()))

const writtenRows = (rows: ReadonlyArray<unknown>): number => rows.length

describe("the embedded database in a folder", () => {
  it.live(
    "begins again after a cut-off first start, keeps every acknowledged row and has one owner",
    function* () {
      const folder = yield* folderInMemory
      yield* Effect.promise(async () => {
        await Deno.mkdir(`${folder}/database`)
        await Deno.writeTextFile(`${folder}/database/PG_VERSION`, "half a database")
        await Deno.writeTextFile(`${folder}/database.unfinished`, "")
      })

      yield* using(
        folder,
        Effect.gen(function* () {
          yield* query("CREATE TABLE numbers (number integer PRIMARY KEY)")
          const refused: DatabaseFailed = yield* Effect.flip(Effect.scoped(openDatabase(folder)))
          assert.strictEqual(refused._tag, "FolderInUse")
          assert.include(refused.message, "DATA_DIR")
        }),
      )

      const last = yield* writeUntilKilled(folder, 200)
      assert.isAtLeast(last, 200)
      const found = writtenRows(yield* using(folder, query("SELECT number FROM numbers")))
      assert.isAtLeast(found, last)
    },
  )

  it.live(
    "ends its process when it gives itself up, instead of never coming back, and has lost nothing",
    function* () {
      const folder = yield* folderInMemory
      const { code, error } = yield* run("failCheckpoint.ts", folder)
      assert.strictEqual(code, 1)
      assert.match(
        error,
        /^{"message":"Stopped: The embedded database cannot go on: could not remove file \\"pg_logical/,
      )
      assert.include(error, "DATA_DIR")
      yield* Effect.promise(() => Deno.remove(`${folder}/database/pg_logical/replorigin_checkpoint.tmp`))
      assert.deepStrictEqual(yield* using(folder, query("SELECT number FROM numbers")), [{ number: 1 }])
    },
  )

  it.live("waits for the disk once with each commit, and with nothing else", function* () {
    const folder = yield* preparedFolderInMemory
    const waits = yield* watch(() => vi.spyOn(fs, "fdatasyncSync"))
    const waitsOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        waits.mockClear()
        return Effect.map(work, () => waits.mock.calls.length)
      })
    yield* using(
      folder,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const insert = query("INSERT INTO numbers VALUES (1)")
        yield* query("CREATE TABLE numbers (number integer)")
        assert.strictEqual(yield* waitsOf(Effect.repeat(insert, { times: 9 })), 10)
        assert.strictEqual(yield* waitsOf(sql.withTransaction(Effect.repeat(insert, { times: 9 }))), 1)
        assert.strictEqual(yield* waitsOf(query("SELECT * FROM numbers")), 0)
      }),
    )
  })

  it.live("has a new database on the disk before it takes away the mark of an unfinished one", function* () {
    const folder = yield* folderInMemory
    const marked = yield* watch(() => vi.spyOn(Deno, "writeTextFile"))
    const removed = yield* watch(() => vi.spyOn(Deno, "remove"))
    const waited = yield* watch(() => vi.spyOn(Deno.FsFile.prototype, "sync"))
    yield* Effect.provide(openDatabase(folder), preparedDatabases)
    const [mark = 0, ...marks] = marked.mock.invocationCallOrder
    const [removal = 0, ...removals] = removed.mock.invocationCallOrder
    assert.deepStrictEqual([...marks, ...removals], [])
    const waits = waited.mock.invocationCallOrder
    const before = waits.filter((wait) => wait < removal)
    assert.isAbove(before.length, 500, "each file of the database")
    assert.isAbove(before.at(0) ?? 0, mark)
    assert.isAbove(waits.at(-1) ?? 0, removal)
  })

  it.live(
    "ends its process when the disk does not take a commit",
    function* () {
      const folder = yield* preparedFolderInMemory
      const { code, error } = yield* run("failSync.ts", folder)
      assert.strictEqual(code, 1)
      assert.match(error, /^{"message":"Stopped: The embedded database cannot go on: could not fsync file/)
    },
  )
})
