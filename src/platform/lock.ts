import { Effect, Schema, type Scope } from "effect"

/** Another process uses the folder. */
export class FolderInUse extends Schema.TaggedError<FolderInUse>()("FolderInUse", { folder: Schema.String }) {
  override get message(): string {
    return `The folder "${this.folder}" is in use by another process; stop that process or set DATA_DIR to ` +
      "another folder"
  }
}

/** The folder cannot be created or written to. */
export class FolderUnusable extends Schema.TaggedError<FolderUnusable>()("FolderUnusable", {
  folder: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `The folder "${this.folder}" cannot be used: ${this.cause}`
  }
}

/**
 * Locks a folder for this process until the scope closes, and creates it if it is missing. Never waits. The operating
 * system releases the lock when the process ends, however it ends. The file stays, because removing it would let two
 * processes lock two files of the same name.
 */
export const lockFolder = (
  folder: string,
): Effect.Effect<void, FolderInUse | FolderUnusable, Scope.Scope> =>
  Effect.gen(function* () {
    const unusable = (cause: unknown) => new FolderUnusable({ folder, cause })
    yield* Effect.tryPromise({ try: () => Deno.mkdir(folder, { recursive: true }), catch: unusable })
    const file = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () => Deno.open(`${folder}/lock`, { create: true, read: true, write: true }),
        catch: unusable,
      }),
      (file) => Effect.sync(() => file.close()),
    )
    const locked = yield* Effect.tryPromise({ try: () => file.tryLock(true), catch: unusable })
    if (!locked) return yield* new FolderInUse({ folder })
  })
