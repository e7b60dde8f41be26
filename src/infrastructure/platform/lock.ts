import { Effect, Schedule, Schema, type Scope } from "effect"

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

/** Locks a folder until the scope or process ends, creating it; never waits. The file stays. */
export const lockFolder = (folder: string): Effect.Effect<void, FolderInUse | FolderUnusable, Scope.Scope> =>
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

export type Turns = Effect.Success<ReturnType<typeof turnsOf>>

/** How often `hold` asks, and how many times: whoever takes turns does so for a fraction of a second. */
const patience = { schedule: Schedule.spaced("50 millis"), times: 600 }

/**
 * A lock of a file that two processes over one folder hold in turns, until the scope closes. Beginning creates the
 * file; joining needs no write right.
 */
export const turnsOf = (folder: string, name: string, how: "begin" | "join") =>
  Effect.gen(function* () {
    const options = how === "begin" ? { create: true, read: true, write: true } : { read: true }
    const file = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () => Deno.open(`${folder}/${name}`, options),
        catch: (cause) => new FolderUnusable({ folder, cause }),
      }),
      (file) => Effect.sync(() => file.close()),
    )
    const take = Effect.promise(() => file.tryLock(true))
    const giveBack = Effect.promise(() => file.unlock())
    return {
      /** Does work while this process holds the lock; does nothing while the other one holds it. */
      ifFree: <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.acquireUseRelease(
          take,
          (isOurs) => isOurs ? Effect.asSome(work) : Effect.succeedNone,
          (isOurs) => isOurs ? giveBack : Effect.void,
        ),
      /** Waits until the other process lets the lock go, and keeps it from then on: whether that came in time. */
      hold: Effect.repeat(take, { ...patience, until: (isOurs) => isOurs }),
    }
  })
