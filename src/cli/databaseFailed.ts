import { Effect, Match } from "effect"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { FileExists, FileUnusable } from "../platform/newFile.ts"
import type { BackupUnreadable, FolderNotEmpty, NoDatabase } from "../store/backup.ts"
import type { DatabaseFailed } from "../store/Sql.ts"
import type { DatabaseNotEmpty, ExportUnreadable, TablesDiffer } from "../store/transfer/failures.ts"
import { CommandFailed } from "./CommandFailed.ts"

type Failure =
  | DatabaseFailed
  | StoreUnavailable
  | FileExists
  | FileUnusable
  | BackupUnreadable
  | FolderNotEmpty
  | NoDatabase
  | DatabaseNotEmpty
  | ExportUnreadable
  | TablesDiffer

const as = (kind: CommandFailed["kind"]) => ({ message }: Error) =>
  new CommandFailed({ kind, detail: message })

/** Why the database cannot be worked with, and how to go on. */
export const databaseFailed: (failure: Failure) => CommandFailed = Match.type<Failure>().pipe(
  Match.tagsExhaustive({
    FolderInUse: ({ folder }) =>
      new CommandFailed({
        kind: "unreachable",
        detail: `The database in "${folder}" is in use by another process, most likely the service. Set ` +
          "BROKER_URL and BROKER_API_KEY (a key with the scope operate) to work with the running service; for " +
          "migrate, backup, restore, export and import stop it first",
      }),
    DatabaseUnusable: as("unreachable"),
    StoreUnavailable: ({ message, cause }) =>
      new CommandFailed({ kind: "unreachable", detail: `${message}: ${cause}` }),
    FolderUnusable: as("failed"),
    EmbeddedDatabaseFailed: as("failed"),
    MigrationFailed: as("failed"),
    FileUnusable: as("failed"),
    BackupUnreadable: as("failed"),
    ExportUnreadable: as("failed"),
    FileExists: as("refused"),
    FolderNotEmpty: as("refused"),
    NoDatabase: as("refused"),
    DatabaseNotEmpty: as("refused"),
    TablesDiffer: as("refused"),
  }),
)

/** The one failure of commands, out of those of the database and of files. */
export const commandFailed = <A, R>(
  effect: Effect.Effect<A, Failure, R>,
): Effect.Effect<A, CommandFailed, R> => Effect.mapError(effect, databaseFailed)
