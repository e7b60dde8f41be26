import { PGlite } from "@electric-sql/pglite"
import { Effect, Schema } from "effect"
import { FolderUnusable, lockFolder } from "../../platform/lock.ts"
import { withFile, writeNewFile } from "../../platform/newFile.ts"
import { syncFolder, syncTree } from "../../platform/onDisk.ts"
import { hasDatabase, startInFolder } from "./EmbeddedDatabase.ts"

/** There is no embedded database in the folder. */
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

/** The tar of a backup, decompressed. The engine would decompress it too, but would not report faults of the file. */
const decompressed = (bytes: Uint8Array<ArrayBuffer>): Promise<Blob> =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).blob()

/** Fails if a folder has no embedded database, because starting the engine would create one. */
export const needDatabase = Effect.fnUntraced(function* (folder: string) {
  if (!(yield* hasDatabase(folder))) return yield* new NoDatabase({ folder })
})

/**
 * Writes the embedded database of a folder to one file, a compressed tar of its folder. The engine makes the archive in
 * memory.
 */
export const backup = (folder: string, path: string) =>
  Effect.gen(function* () {
    yield* needDatabase(folder)
    yield* writeNewFile(path, (file) =>
      Effect.gen(function* () {
        const database = yield* startInFolder(folder)
        yield* withFile(path, async () => {
          const image = await database.dumpDataDir("gzip")
          await image.stream().pipeTo(file.writable)
        })
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

/** Restores a backup into an empty folder, completely or not at all. */
export const restore = (path: string, folder: string) =>
  Effect.gen(function* () {
    const bytes = yield* withFile(path, () => Deno.readFile(path))
    yield* lockFolder(folder)
    yield* refuseFilled(folder)
    const unfinished = `${folder}/database.restoring`
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => Deno.remove(unfinished, { recursive: true }).catch(() => undefined))
    )
    yield* Effect.tryPromise({
      try: async () => {
        const image = await decompressed(bytes)
        const database = await PGlite.create({ dataDir: unfinished, loadDataDir: image })
        try {
          await database.query("SELECT 1 FROM migrations")
        } finally {
          await database.close()
        }
      },
      catch: (cause) => new BackupUnreadable({ path, cause }),
    })
    yield* Effect.tryPromise({
      try: async () => {
        await syncTree(unfinished)
        await Deno.rename(unfinished, `${folder}/database`)
        await syncFolder(folder)
      },
      catch: (cause) => new FolderUnusable({ folder, cause }),
    })
  }).pipe(Effect.scoped)
