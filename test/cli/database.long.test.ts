import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { lockFolder } from "#infrastructure/platform/lock.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { copyOf, folderInMemory } from "#test/support/folder.ts"
import { preparedDatabases } from "#test/support/prepared/database.ts"
import { once } from "#test/support/prepared/once.ts"
import type { Environment } from "#test/support/process.ts"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"
import { cliWith, done, rowsOf } from "./running.ts"

const serverUrl = Deno.env.get("TEST_DATABASE_URL")

/** A database to move to: on the server where there is one, else embedded too. */
const target = Effect.gen(function* () {
  return serverUrl === undefined
    ? { DATA_DIR: `${yield* folderInMemory}/target` }
    : { DATABASE_URL: yield* temporaryDatabase(serverUrl) }
})

/** With databases that are copies of one: the first start is the matter of one test alone. */
const live = <E>(name: string, test: () => Effect.Effect<void, E, Scope.Scope>) =>
  it.live(name, () => Effect.provide(test(), preparedDatabases))

const works = (env: Environment, ...args: ReadonlyArray<string>) => done(cliWith(env, ...args))

const codeOf = (env: Environment, ...args: ReadonlyArray<string>) =>
  Effect.map(cliWith(env, ...args), ({ code }) => code)

/** An account, and rows of every kind of column, more of them than are moved at a time. */
const fill = (dataDir: string) =>
  Effect.gen(function* () {
    yield* works(
      { DATA_DIR: dataDir },
      "accounts",
      "create",
      "wallet-one",
      "--origins",
      "https://app.example",
    )
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO api_keys (account_id, secret_hash, created_at)
        VALUES (1, decode(repeat('0aff', 16), 'hex'), '2026-07-29T14:04:24.123456Z')`
      yield* sql`INSERT INTO swaps (account_id, platform, opening, request, opening_fee, created_at, updated_at,
          opening_lease_until)
        SELECT 1, 'chainflip', 'requested', jsonb_build_object('memo', E'quote " line \\n snowman ☃', 'n', n),
          repeat('9', 78)::numeric - n, now(), now(), now() FROM generate_series(1, 1201) n`
      yield* sql`DELETE FROM swaps WHERE id > 1100`
    }).pipe(Effect.provide(sqlLayer(DatabaseLocation.Folder({ folder: dataDir }))))
  })

/** What tells whether everything is as it was; the last is the next number of a sequence. */
const figures = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`
    SELECT (SELECT md5(string_agg(s::text, ',' ORDER BY id)) FROM (SELECT id, request, opening_fee FROM swaps) s) AS swaps,
      (SELECT md5(secret_hash || convert_to((extract(epoch FROM created_at))::text, 'UTF8')) FROM api_keys) AS keys,
      (SELECT allowed_origins[1] FROM accounts) AS origin,
      (SELECT open_channels FROM accounts) AS channels,
      (SELECT change::text FROM audit_log) AS change,
      nextval('swaps_id_seq') AS next`
  return row
})

const figuresOf = (env: Environment) =>
  Effect.provide(
    figures,
    sqlLayer(
      env.DATA_DIR === undefined
        ? DatabaseLocation.Server({ url: Redacted.make(env.DATABASE_URL ?? ""), maximumConnections: 2 })
        : DatabaseLocation.Folder({ folder: env.DATA_DIR }),
    ),
  )

/** A folder with a filled database, made once. */
const filledFolder = once(
  "filled",
  (place) => Effect.runPromise(Effect.provide(fill(`${place}/source`), preparedDatabases)),
)

/** A copy of it, in a home of its own. */
const filled = Effect.gen(function* () {
  const home = yield* copyOf(yield* Effect.promise(filledFolder), folderInMemory)
  return { home, env: { DATA_DIR: `${home}/source` } }
})

/** What tells whether it was moved whole; a copy is asked, as to ask takes a number of a sequence. */
const filledFigures = Effect.runSync(
  Effect.cached(Effect.scoped(Effect.flatMap(filled, ({ env }) => figuresOf(env)))),
)

describe("the database's commands", () => {
  live("bring everything from the embedded database to another one", () =>
    Effect.gen(function* () {
      const { env, home } = yield* filled
      const file = `${home}/everything.ndjson.gz`
      const counts = rowsOf(yield* works(env, "export", file))
      assert.deepStrictEqual(Object.fromEntries(counts).swaps, "1100")
      const there = yield* target
      assert.deepStrictEqual(rowsOf(yield* works(there, "import", file)), counts)
      const before = yield* filledFigures
      assert.deepStrictEqual(yield* figuresOf(there), before)
      assert.strictEqual(`${before?.next}`, "1202")
      assert.strictEqual(before?.channels, 1100)
      assert.strictEqual(yield* codeOf(there, "import", file), 3, "the target is not empty any more")
      assert.strictEqual(yield* codeOf(env, "export", file), 3, "the file is there already")
    }).pipe(Effect.scoped))

  live("import nothing of a file that is cut off, or of another kind", () =>
    Effect.gen(function* () {
      const { env, home } = yield* filled
      const there = yield* target
      yield* works(env, "export", `${home}/whole`)
      const whole = yield* Effect.promise(() => Deno.readFile(`${home}/whole`))
      yield* Effect.promise(() => Deno.writeFile(`${home}/cut`, whole.subarray(0, whole.length - 30)))
      yield* Effect.promise(() => Deno.writeTextFile(`${home}/text`, "no export"))
      assert.strictEqual(yield* codeOf(there, "import", `${home}/cut`), 1)
      assert.strictEqual(yield* codeOf(there, "import", `${home}/text`), 1)
      assert.strictEqual(yield* codeOf(there, "import", `${home}/none`), 1)
      assert.include(yield* works(there, "accounts", "list"), "No accounts yet")
    }).pipe(Effect.scoped))

  live(
    "back up the embedded database, and restore it into an empty folder only",
    () =>
      Effect.gen(function* () {
        const { env, home } = yield* filled
        const restored = { DATA_DIR: `${home}/restored` }
        const file = `${home}/backup.tgz`
        yield* works(env, "backup", file)
        yield* works(restored, "restore", file)
        assert.deepStrictEqual(yield* figuresOf(restored), yield* filledFigures)
        assert.strictEqual(yield* codeOf(restored, "restore", file), 3)
        assert.strictEqual(yield* codeOf(env, "backup", file), 3)
        assert.strictEqual(yield* codeOf({ DATA_DIR: `${home}/nothing` }, "backup", `${home}/other`), 3)
        yield* Effect.promise(() => Deno.writeTextFile(`${home}/text`, "no backup"))
        assert.strictEqual(yield* codeOf({ DATA_DIR: `${home}/again` }, "restore", `${home}/text`), 1)
        yield* works({ DATA_DIR: `${home}/again` }, "restore", file)
      }).pipe(Effect.scoped),
  )

  live(
    "restore a backup with the keys by name that its records need, and say which are missing",
    () =>
      Effect.gen(function* () {
        const { env, home } = yield* filled
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`INSERT INTO record_keys (setting, fingerprint, seen_at) VALUES ('CASE_FILE_KEYS', 'its-id', now())`
        }).pipe(Effect.provide(sqlLayer(DatabaseLocation.Folder({ folder: env.DATA_DIR }))))
        yield* works(env, "backup", `${home}/backup`)
        const told = yield* works({ DATA_DIR: `${home}/restored` }, "restore", `${home}/backup`)
        assert.match(told, /^CASE_FILE_KEYS {2}its-id +MISSING: set it before the service starts$/m)
        yield* works(env, "export", `${home}/export`)
        assert.include(yield* works({ DATA_DIR: `${home}/imported` }, "import", `${home}/export`), "MISSING")
        const { code, output } = yield* cliWith({ DATA_DIR: `${home}/restored` }, "doctor", "--json")
        assert.strictEqual(code, 1)
        assert.include(output, "the records need missing keys: CASE_FILE_KEYS (its-id)")
      }).pipe(Effect.scoped),
  )

  it.live(
    "make the tables, and say how to go on where a service has the database",
    () =>
      Effect.gen(function* () {
        const env = { DATA_DIR: yield* folderInMemory }
        // A new embedded database begins with its tables, one on a server without any.
        assert.strictEqual(yield* works(env, "migrate"), "The tables are up to date")
        if (serverUrl !== undefined) {
          const onServer = { DATABASE_URL: yield* temporaryDatabase(serverUrl) }
          assert.match(yield* works(onServer, "migrate"), /^Made: 0001_accounts, /)
          assert.strictEqual(yield* works(onServer, "migrate"), "The tables are up to date")
        }
        yield* lockFolder(env.DATA_DIR)
        for (const args of [["accounts", "list"], ["migrate"], ["export", "e"]]) {
          const { code, errors } = yield* cliWith(env, ...args)
          assert.strictEqual(code, 5, args.join(" "))
          assert.include(errors, "Set BROKER_URL and BROKER_API_KEY")
        }
      }).pipe(Effect.scoped),
  )

  it.live("refuse to work in a database while a service is named, and make nothing", () =>
    Effect.gen(function* () {
      const home = yield* folderInMemory
      const named = { BROKER_URL: "http://127.0.0.1:9", BROKER_API_KEY: "x".repeat(32) }
      const file = `${home}/file`
      for (
        const command of [["migrate"], ["backup", file], ["restore", file], ["export", file], [
          "import",
          file,
        ]]
      ) {
        for (const place of [{ DATA_DIR: `${home}/data` }, { DATABASE_URL: "postgres://127.0.0.1:9/x" }]) {
          for (const service of [named, { BROKER_URL: named.BROKER_URL }]) {
            const { code, errors } = yield* cliWith({ ...place, ...service }, ...command)
            assert.strictEqual(code, 2, `${command[0]}: ${errors}`)
            assert.include(errors, "BROKER_URL")
          }
        }
      }
      assert.deepStrictEqual([...Deno.readDirSync(home)], [])
    }).pipe(Effect.scoped))

  it.live("refuse settings that do not say where to work", function* () {
    assert.strictEqual(yield* codeOf({ DATA_DIR: "memory" }, "accounts", "list"), 2)
    assert.strictEqual(yield* codeOf({ BROKER_URL: "http://127.0.0.1:9" }, "accounts", "list"), 2)
    assert.strictEqual(yield* codeOf({ DATABASE_URL: "mysql://x" }, "migrate"), 2)
    assert.strictEqual(yield* codeOf({ DATABASE_URL: "postgres://127.0.0.1:9/x" }, "audit"), 5)
    assert.strictEqual(yield* codeOf({ DATABASE_URL: "postgres://127.0.0.1:9/x" }, "backup", "b"), 2)
  })
})
