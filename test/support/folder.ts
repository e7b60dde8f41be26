import { Effect, type Scope } from "effect"
import { statfs } from "node:fs/promises"

const folderIn = (options: Deno.MakeTempOptions): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => Deno.makeTempDir({ ...options, prefix: "swap-broker-" })),
    (folder) => Effect.promise(() => Deno.remove(folder, { recursive: true })),
  )

/** An empty folder that is gone when the scope closes. */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = folderIn({})

/** A place in memory, on Linux. */
const memory = "/dev/shm"

/** Bytes that have to be free there: many times what the folders of a run take at a time. */
const enough = 2 ** 31

const freeBytes = (folder: string): Promise<number> =>
  statfs(folder).then(({ bavail, bsize }) => bavail * bsize, () => 0)

/**
 * The same in memory, where that has room: for a database that tests use in their own process, as it waits for the disk
 * at each commit, and many times at a start. Only a process that may do everything may use the folder.
 */
export const folderInMemory: Effect.Effect<string, never, Scope.Scope> = Effect.flatMap(
  Effect.promise(() => freeBytes(memory)),
  (free) => folderIn(free < enough ? {} : { dir: memory }),
)

const copy = async (from: string, to: string): Promise<void> => {
  for await (const { isDirectory, name } of Deno.readDir(from)) {
    if (!isDirectory) await Deno.copyFile(`${from}/${name}`, `${to}/${name}`)
    else {
      await Deno.mkdir(`${to}/${name}`)
      await copy(`${from}/${name}`, `${to}/${name}`)
    }
  }
}

/** A temporary folder with all that is in another, made as `target` says. */
export const copyOf = Effect.fnUntraced(function* (
  folder: string,
  target: Effect.Effect<string, never, Scope.Scope> = temporaryFolder,
) {
  const place = yield* target
  yield* Effect.promise(() => copy(folder, place))
  return place
})
