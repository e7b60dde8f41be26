import { PGlite } from "@electric-sql/pglite"
import { Effect, Predicate, Schema } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { Buffer } from "node:buffer"
import { Readable, Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { FolderUnusable, lockFolder } from "../../platform/lock.ts"
import { withFile, writeNewFile } from "../../platform/newFile.ts"
import { syncFolder, syncTree } from "../../platform/onDisk.ts"
import { pack, unpack } from "./archive.ts"
import { neededKeys } from "../ops/RecordKeysRepo.ts"
import { checkpointTurns, hasDatabase, startParams } from "./EmbeddedDatabase.ts"
import { embeddedClient } from "./Sql.ts"

export class NoDatabase extends Schema.TaggedError<NoDatabase>()("NoDatabase", { folder: Schema.String }) {
  override get message(): string {
    return `There is no embedded database in "${this.folder}"; check DATA_DIR`
  }
}

/** The target folder of a restore is not empty. */
export class FolderNotEmpty extends Schema.TaggedError<FolderNotEmpty>()("FolderNotEmpty", {
  folder: Schema.String,
  found: Schema.String,
}) {
  override get message(): string {
    return `The folder "${this.folder}" is not empty (there is "${this.found}"); set DATA_DIR to a new one, or ` +
      "move away what is there"
  }
}

/** The file is not a backup, or not a complete one. */
export class BackupUnreadable extends Schema.TaggedError<BackupUnreadable>()("BackupUnreadable", {
  path: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `"${this.path}" is not a whole backup of an embedded database: ${this.cause}. Nothing was restored`
  }
}

/** The database was written to its files while they were copied, so the copies would not go together. */
export class BackupOvertaken extends Schema.TaggedError<BackupOvertaken>()("BackupOvertaken", {
  folder: Schema.String,
}) {
  override get message(): string {
    return `There is no backup of "${this.folder}": the service was started or stopped meanwhile, or wrote too much ` +
      "until the copy was whole. Make the backup again, onto a faster disk if it took long"
  }
}

/** Another backup of the folder is being made. */
export class BackupUnderWay extends Schema.TaggedError<BackupUnderWay>()("BackupUnderWay", {
  folder: Schema.String,
}) {
  override get message(): string {
    return `Another backup of "${this.folder}" is being made; wait until it is done`
  }
}

/** Fails if a folder has no embedded database, because starting the engine would create one. */
export const needDatabase = Effect.fnUntraced(function* (folder: string) {
  if (!(yield* hasDatabase(folder))) return yield* new NoDatabase({ folder })
})

/** The file that says from which record of the log the engine goes on after it was cut off. It changes with each checkpoint. */
const control = "global/pg_control"

/** The folder of the log, which is copied after all else. */
const log = "pg_wal"

/** How hard is compressed: the longer a copy takes, the more log gathers meanwhile. */
const level = 3

/** Keeps everybody from writing a checkpoint: takes the folder, or where a service has it the turns of its checkpoints. */
const holdStill = (folder: string) =>
  Effect.catchTag(lockFolder(folder), "FolderInUse", (inUse) =>
    Effect.gen(function* () {
      // The service makes the file; one of an earlier version does not, and would not wait.
      const turns = yield* Effect.mapError(
        checkpointTurns(folder, "join"),
        (error) => error.cause instanceof Deno.errors.NotFound ? inUse : error,
      )
      if (!(yield* turns.hold)) return yield* new BackupUnderWay({ folder })
    }))

/**
 * Writes the embedded database of a folder to one file, a compressed tar of its files, piece by piece. A service that
 * uses the database goes on meanwhile, and needs not be asked anything: it only writes no checkpoint.
 *
 * The copy is what a power cut at its end could have left behind. The engine begins from the last checkpoint, which the
 * first file names, and repeats everything in the log since. That mends the files that changed while they were copied:
 * the first change of each page after a checkpoint is in the log with the whole page. The log is copied last, so it has
 * every change that any of the files has, and all that was acknowledged until then. So the copies go together if no
 * checkpoint was written meanwhile, which the first file tells at the end.
 */
export const backup = (folder: string, path: string) =>
  Effect.gen(function* () {
    yield* needDatabase(folder)
    yield* holdStill(folder)
    const database = `${folder}/database`
    const checkpoint = Effect.tryPromise({
      try: async () => Buffer.from(await Deno.readFile(`${database}/${control}`)),
      catch: (cause) => new FolderUnusable({ folder, cause }),
    })
    yield* writeNewFile(path, (file) =>
      Effect.gen(function* () {
        const before = yield* checkpoint
        yield* withFile(path, () =>
          pipeline(
            Readable.from(pack(database, { first: control, last: log })),
            createGzip({ level }),
            Writable.fromWeb(file.writable),
          ))
        if (!before.equals(yield* checkpoint)) return yield* new BackupOvertaken({ folder })
      }))
  }).pipe(Effect.scoped)

const refuseFilled = Effect.fnUntraced(function* (folder: string) {
  const names = yield* Effect.tryPromise({
    try: () => Array.fromAsync(Deno.readDir(folder), ({ name }) => name),
    catch: (cause) => new FolderUnusable({ folder, cause }),
  })
  const found = names.find((name) => name !== "lock")
  if (found !== undefined) return yield* new FolderNotEmpty({ folder, found })
})

/** Starts the engine on what was unpacked, which makes it whole: the keys that its records need. */
const keysIn = (folder: string) =>
  Effect.gen(function* () {
    const database = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () => PGlite.create({ dataDir: folder, startParams }),
        catch: (cause) => cause,
      }),
      (database) => Effect.promise(() => database.close()),
    )
    yield* Effect.tryPromise({
      try: () => database.query("SELECT 1 FROM migrations"),
      catch: (cause) => cause,
    })
    return yield* Effect.provideServiceEffect(neededKeys, SqlClient.SqlClient, embeddedClient(database))
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))

/** Restores a backup into an empty folder, completely or not at all: the keys that its records need. */
export const restore = (path: string, folder: string) =>
  Effect.gen(function* () {
    const file = yield* withFile(path, () => Deno.open(path))
    yield* lockFolder(folder)
    yield* refuseFilled(folder)
    const unfinished = `${folder}/database.restoring`
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => Deno.remove(unfinished, { recursive: true }).catch(() => undefined))
    )
    // What the system says has a code such as ENOSPC; all else is said of the file.
    const failed = (cause: unknown) =>
      Predicate.hasProperty(cause, "code") && /^E[A-Z]+$/.test(`${cause.code}`)
        ? new FolderUnusable({ folder, cause })
        : new BackupUnreadable({ path, cause })
    yield* Effect.tryPromise({
      try: () => unpack(file.readable.pipeThrough(new DecompressionStream("gzip")), unfinished),
      catch: failed,
    })
    const keys = yield* Effect.mapError(keysIn(unfinished), failed)
    yield* Effect.tryPromise({
      try: async () => {
        await syncTree(unfinished)
        await Deno.rename(unfinished, `${folder}/database`)
        await syncFolder(folder)
      },
      catch: (cause) => new FolderUnusable({ folder, cause }),
    })
    return keys
  }).pipe(Effect.scoped)
