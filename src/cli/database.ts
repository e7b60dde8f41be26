import { Effect, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { isSameKey, type RecordKey } from "#domain/swaps/RecordKey.ts"
import { FileUnusable, withFile, writeNewFile } from "#infrastructure/platform/newFile.ts"
import { backup, needDatabase, restore } from "#infrastructure/store/database/backup.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { migrate } from "#infrastructure/store/database/migrate.ts"
import { connectionLayer, sqlLayer } from "#infrastructure/store/database/Sql.ts"
import {
  type Counts,
  exportRows,
  ExportUnreadable,
  importRows,
} from "#infrastructure/store/database/transfer/rows.ts"
import { neededKeys } from "#infrastructure/store/ops/RecordKeysRepo.ts"
import { CommandFailed, orDatabaseFailed } from "./failures.ts"
import { print, prints, table } from "./output.ts"
import { ownDatabase, ownRecordKeys } from "./settings.ts"

/** Writes the whole database to a compressed file, lot by lot. */
const exportTo = (path: string) =>
  writeNewFile(path, (file) =>
    Effect.gen(function* () {
      const { readable, writable } = new CompressionStream("gzip")
      const piped = readable.pipeTo(file.writable)
      // The pending write reports the failure first.
      piped.catch(() => undefined)
      const writer = writable.getWriter()
      const encoder = new TextEncoder()
      const write = (line: string) => withFile(path, () => writer.write(encoder.encode(`${line}\n`)))
      const counts = yield* exportRows(write)
      yield* withFile(path, () => writer.close())
      yield* withFile(path, () => piped)
      return counts
    }))

const linesOf = (file: Deno.FsFile) =>
  Stream.fromReadableStream({
    evaluate: () => file.readable.pipeThrough(new DecompressionStream("gzip")),
    onError: (cause) => new ExportUnreadable({ reason: `it cannot be decompressed (${cause})` }),
  }).pipe(Stream.decodeText, Stream.splitLines)

/** Reads an exported file into the database, lot by lot. */
const importFrom = (path: string) =>
  Effect.flatMap(
    Effect.tryPromise({ try: () => Deno.open(path), catch: (cause) => new FileUnusable({ path, cause }) }),
    (file) => importRows(linesOf(file)),
  )

/** Commands that use the database itself, and refuse to where a service is set. */

const file = Argument.String("file").pipe(Argument.withDescription("Path of a file"))

const embedded = Effect.gen(function* () {
  const { location } = yield* ownDatabase
  if (location._tag === "Folder") return location.folder
  return yield* new CommandFailed({
    kind: "usage",
    detail:
      "Only the embedded database is backed up and restored here, and DATABASE_URL is set: use the tools of " +
      "the Postgres server (pg_dump, pg_restore), or unset DATABASE_URL",
  })
})

/** Fails if the database is missing, so that opening it does not create one. */
const needed = DatabaseLocation.$match({
  Server: () => Effect.void,
  Memory: () => Effect.void,
  Folder: ({ folder }) => needDatabase(folder),
})

/** A key that the records need, and whether the settings here have it. */
interface NeededKey extends RecordKey {
  readonly isSet: boolean
}

const standing = (needed: ReadonlyArray<RecordKey>, present: ReadonlyArray<RecordKey>) =>
  needed.map((key): NeededKey => ({ ...key, isSet: present.some(isSameKey(key)) }))

/** What to tell people of the keys that records need. */
const told = (keys: ReadonlyArray<NeededKey>): ReadonlyArray<string> =>
  keys.length === 0 ? [] : [
    "",
    "Its records need these keys, which are in no copy of a database:",
    table<NeededKey>(
      ["setting", "fingerprint", ["here", ({ isSet }) =>
        isSet ? "set" : "MISSING: set it before the service starts"]],
      keys,
    ),
  ]

const ofFile = prints("`{folder, file}`")
const ofRestored = prints("`{folder, file, keys: [{setting, fingerprint, isSet}]}`")
const ofCounts = prints("`{rows: {table: number}}`")

const migrateCommand = Command.make(
  "migrate",
  {},
  Effect.fnUntraced(function* () {
    const { location } = yield* ownDatabase
    const made = yield* migrate.pipe(Effect.provide(connectionLayer(location)), orDatabaseFailed)
    const forPeople = made.length === 0 ? "The tables are up to date" : `Made: ${made.join(", ")}`
    yield* print({ made }, forPeople)
  }),
).pipe(
  Command.withDescription("Bring the tables up to date, as the service does at its start"),
  prints("`{made: [migration]}`"),
)

const backupCommand = Command.make(
  "backup",
  { file },
  Effect.fnUntraced(function* ({ file }) {
    const folder = yield* embedded
    yield* orDatabaseFailed(backup(folder, file))
    yield* print(
      { folder, file },
      `The database in "${folder}" is backed up in "${file}". Keep the file as safe as the database`,
    )
  }),
).pipe(
  Command.withDescription("Write the embedded database to one file, while the service serves, too"),
  ofFile,
)

const restoreCommand = Command.make(
  "restore",
  { file },
  Effect.fnUntraced(function* ({ file }) {
    const folder = yield* embedded
    const present = yield* ownRecordKeys
    const keys = standing(yield* orDatabaseFailed(restore(file, folder)), present)
    yield* print(
      { folder, file, keys },
      [`The database in "${folder}" is that of "${file}"`, ...told(keys)].join("\n"),
    )
  }),
).pipe(
  Command.withDescription(
    "Make the embedded database of a backup, in an empty DATA_DIR; the service must not run",
  ),
  ofRestored,
)

const tableOf = (counts: Counts): string =>
  table(["table", "rows"], Object.entries(counts).map(([table, rows]) => ({ table, rows })))

const exportCommand = Command.make(
  "export",
  { file },
  Effect.fnUntraced(function* ({ file }) {
    const { location } = yield* ownDatabase
    yield* orDatabaseFailed(needed(location))
    const rows = yield* exportTo(file).pipe(Effect.provide(sqlLayer(location)), orDatabaseFailed)
    yield* print({ rows }, tableOf(rows))
  }),
).pipe(
  Command.withDescription("Write everything in the database to one file, for import"),
  Command.withExamples([{ command: "export everything.ndjson.gz" }]),
  ofCounts,
)

const importCommand = Command.make(
  "import",
  { file },
  Effect.fnUntraced(function* ({ file }) {
    const { location } = yield* ownDatabase
    const present = yield* ownRecordKeys
    const { needed, rows } = yield* Effect.all({ rows: importFrom(file), needed: neededKeys }).pipe(
      Effect.provide(sqlLayer(location)),
      orDatabaseFailed,
    )
    const keys = standing(needed, present)
    yield* print({ rows, keys }, [tableOf(rows), ...told(keys)].join("\n"))
  }),
).pipe(
  Command.withDescription("Read an export into an empty database, such as that of DATABASE_URL"),
  Command.withExamples([{ command: "import everything.ndjson.gz" }]),
  ofCounts,
)

/** `migrate`, `backup`, `restore`, `export`, `import` */
export const databaseCommands = [
  migrateCommand,
  backupCommand,
  restoreCommand,
  exportCommand,
  importCommand,
] as const
