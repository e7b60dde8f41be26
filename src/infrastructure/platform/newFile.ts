import { Effect, Schema, type Scope } from "effect"
import { dirname } from "node:path"
import { syncFile, syncFolder } from "./onDisk.ts"

export class FileExists extends Schema.TaggedError<FileExists>()("FileExists", { path: Schema.String }) {
  override get message(): string {
    return `There is a file "${this.path}" already; choose another name, or move it away`
  }
}

/** The file cannot be written or read. */
export class FileUnusable extends Schema.TaggedError<FileUnusable>()("FileUnusable", {
  path: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `The file "${this.path}" cannot be used: ${this.cause}`
  }
}

/** Uses a file, and turns failures into `FileUnusable`. */
export const withFile = <A>(path: string, use: () => Promise<A>): Effect.Effect<A, FileUnusable> =>
  Effect.tryPromise({ try: use, catch: (cause) => new FileUnusable({ path, cause }) })

const exists = (path: string) =>
  withFile(path, () =>
    Deno.lstat(path).then(() => true, (error) => {
      if (error instanceof Deno.errors.NotFound) return false
      throw error
    }))

/** The mode of new files: only their owner can read them. */
const mode = 0o600

/** Names a whole file unless another has the name: a link replaces no file. Without links, a rename may. */
const named = async (part: string, path: string): Promise<boolean> => {
  try {
    await Deno.link(part, path)
    return true
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false
    await Deno.rename(part, path)
    return true
  }
}

/** Writes a new file that is complete or absent, even after a power cut: it gets its name once it is on the disk. */
export const writeNewFile = <A, E, R>(
  path: string,
  write: (file: Deno.FsFile) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | FileExists | FileUnusable, Exclude<R, Scope.Scope>> =>
  Effect.gen(function* () {
    if (yield* exists(path)) return yield* new FileExists({ path })
    const part = `${path}.${crypto.randomUUID()}.part`
    const file = yield* Effect.acquireRelease(
      withFile(path, () => Deno.open(part, { write: true, createNew: true, mode })),
      (file) =>
        Effect.promise(async () => {
          try {
            file.close()
          } catch {
            // The file is closed already if a stream was piped into it.
          }
          await Deno.remove(part).catch(() => undefined)
        }),
    )
    const written = yield* write(file)
    const isNew = yield* withFile(path, async () => {
      await syncFile(part)
      if (!await named(part, path)) return false
      await syncFolder(dirname(path))
      return true
    })
    return isNew ? written : yield* new FileExists({ path })
  }).pipe(Effect.scoped)
