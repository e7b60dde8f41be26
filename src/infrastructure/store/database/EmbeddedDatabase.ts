import { PGlite } from "@electric-sql/pglite"
import { NodeFS } from "@electric-sql/pglite/nodefs"
import { Context, Effect, Predicate, Schema, type Scope } from "effect"
import fs from "node:fs"
import { type FolderInUse, FolderUnusable, lockFolder, turnsOf } from "../../platform/lock.ts"
import { syncFile, syncFolder, syncTree } from "../../platform/onDisk.ts"
import { unpack } from "./archive.ts"
import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"

/*
 * New embedded databases are copies of one that has its tables and nothing in them: creating one takes the engine
 * seconds, and over 300 MB that it never frees. `deno task image` writes the copy; what it lacks of later changes, the
 * migrations add.
 */

const decompress = promisify(brotliDecompress)

const image = new URL("./empty.tar.br", import.meta.url)

/** The bytes of the copy: beside this file in a checkout and in the one binary, on the registry in a package. */
const packed = async (): Promise<Uint8Array> =>
  image.protocol === "file:" ? await Deno.readFile(image) : await (await fetch(image)).bytes()

/** A tar of the files of an empty database, which was closed. */
export const emptyDatabase = async (): Promise<Blob> =>
  new Blob([new Uint8Array(await decompress(await packed()))])

/*
 * Start options of the embedded database's engine.
 */

/** The engine's memory for pages. Its default of 128 MiB is for many clients; this saves 100 MB and start time. */
export const sharedBuffers = "shared_buffers=32MB"

/** The library's own start parameters, with the memory above also for databases that were created with another. */
export const startParams = [...PGlite.defaultStartParams, "-c", sharedBuffers]

/** The option by which the engine never waits for the disk; the library sets it. */
const neverWaits = "-F"

/** Start parameters that wait for the disk by `fsync`: the engine's usual `fdatasync` does nothing in this build. */
const waitsForDisk = [
  ...startParams.filter((parameter) => parameter !== neverWaits),
  "-c",
  "wal_sync_method=fsync",
]

type Options = Parameters<NodeFS["init"]>[1]
type Started = Awaited<ReturnType<NodeFS["init"]>>

/** The error for a build of the engine with different files, to which the missing operation cannot be added. */
const unknownEngine = () => new Error("its files have no operation that could wait for the disk")

/** Waits until the content of an open file of the engine is on the disk. */
const sync = (stream: unknown): void => {
  if (!Predicate.hasProperty(stream, "nfd") || !Predicate.isNumber(stream.nfd)) throw unknownEngine()
  fs.fdatasyncSync(stream.nfd)
}

/** Adds the `fsync` operation to the engine's files; its failures are reported like those of the other operations. */
const addSync = (files: object): void => {
  if (
    !Predicate.hasProperty(files, "stream_ops") || !Predicate.isObject(files.stream_ops) ||
    !Predicate.hasProperty(files, "tryFSOperation") || !Predicate.isFunction(files.tryFSOperation)
  ) throw unknownEngine()
  const { stream_ops: operations, tryFSOperation: attempt } = files
  operations.fsync = (stream: unknown) => attempt(() => sync(stream))
}

/** The database's files, synced when the engine asks, which its own are not. Disk errors end the engine. */
class SyncedFiles extends NodeFS {
  override async init(pglite: Parameters<NodeFS["init"]>[0], options: Options): Promise<Started> {
    const { emscriptenOpts } = await super.init(pglite, options)
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...emscriptenOpts.preRun ?? [], ({ NODEFS }) => addSync(NODEFS)],
      },
    }
  }
}

export class EmbeddedDatabaseFailed
  extends Schema.TaggedError<EmbeddedDatabaseFailed>()("EmbeddedDatabaseFailed", { cause: Schema.Defect() }) {
  override get message(): string {
    const why = `${this.cause}`.replace(/\.$/, "")
    return `The embedded database did not start: ${why}. Check that DATA_DIR can be written and that its ` +
      "disk has space"
  }
}

/** A dump, as `dumpDataDir` makes it, that new embedded databases begin as in place of the empty one. */
export const FirstImage = Context.Reference<Blob | undefined>("swap-broker/store/FirstImage", {
  defaultValue: () => undefined,
})

const failed = (cause: unknown) => new EmbeddedDatabaseFailed({ cause })

const firstImage = Effect.flatMap(
  FirstImage,
  (image) => Effect.tryPromise({ try: async () => image ?? await emptyDatabase(), catch: failed }),
)

interface StartOptions {
  readonly dataDir?: string
  readonly fs?: SyncedFiles
  readonly startParams?: Array<string>
  readonly loadDataDir?: Blob
}

const start = (options: StartOptions): Effect.Effect<PGlite, EmbeddedDatabaseFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => PGlite.create({ startParams, ...options, relaxedDurability: false }),
      catch: failed,
    }),
    (database) => Effect.promise(() => database.close()),
  )

export const startInMemory: Effect.Effect<PGlite, EmbeddedDatabaseFailed, Scope.Scope> = Effect.flatMap(
  firstImage,
  (loadDataDir) => start({ loadDataDir }),
)

const exists = (path: string): Promise<boolean> =>
  Deno.stat(path).then(() => true, (error) => {
    if (error instanceof Deno.errors.NotFound) return false
    throw error
  })

export const hasDatabase = (folder: string): Effect.Effect<boolean, FolderUnusable> =>
  Effect.tryPromise({
    try: () => exists(`${folder}/database`),
    catch: (cause) => new FolderUnusable({ folder, cause }),
  })

/** Checkpoints take turns with a backup of the folder, which joins them: none may be written while files are copied. */
export const checkpointTurns = (folder: string, how: "begin" | "join") => turnsOf(folder, "backup.lock", how)

/**
 * Starts the embedded database of a folder, which no other process may use at the same time. Every acknowledged write
 * is there again, however the last process ended, even after a power cut.
 *
 * The database is written at the first start, file by file. A mark beside it means "not finished, and nothing of
 * value in it", so that a start that was cut off begins again. The mark therefore reaches the disk before any file of
 * the database does, and the whole database before the mark is removed.
 */
export const startInFolder = Effect.fn("EmbeddedDatabase.startInFolder")(function* (
  folder: string,
): Effect.fn.Return<PGlite, FolderInUse | FolderUnusable | EmbeddedDatabaseFailed, Scope.Scope> {
  yield* lockFolder(folder)
  const dataDir = `${folder}/database`
  const mark = `${folder}/database.unfinished`
  const onDisk = <A>(use: () => Promise<A>) =>
    Effect.tryPromise({ try: use, catch: (cause) => new FolderUnusable({ folder, cause }) })

  if (yield* onDisk(() => exists(mark))) {
    yield* Effect.logWarning("The first start in this folder was interrupted. Creating the database again")
    if (yield* onDisk(() => exists(dataDir))) yield* onDisk(() => Deno.remove(dataDir, { recursive: true }))
  }
  if (!(yield* onDisk(() => exists(dataDir)))) {
    const image = yield* firstImage
    yield* onDisk(async () => {
      await Deno.writeTextFile(mark, "")
      await syncFile(mark)
      await syncFolder(folder)
      await unpack(image.stream(), dataDir)
      await syncTree(dataDir)
      await syncFolder(folder)
      await Deno.remove(mark)
      await syncFolder(folder)
    })
    yield* Effect.logInfo("The tables of a new database were made")
  }
  // In a folder each commit waits for the disk.
  return yield* start({ dataDir, fs: new SyncedFiles(dataDir), startParams: waitsForDisk })
})
