import { Effect, Match, Schema } from "effect"
import type { HttpClientError } from "effect/http/HttpClientError"
import type { FileExists, FileUnusable } from "#infrastructure/platform/newFile.ts"
import type {
  BackupOvertaken,
  BackupUnderWay,
  BackupUnreadable,
  FolderNotEmpty,
  NoDatabase,
} from "#infrastructure/store/database/backup.ts"
import type { StoreFailed } from "#infrastructure/store/Store.ts"
import type {
  DatabaseNotEmpty,
  ExportUnreadable,
  TablesDiffer,
} from "#infrastructure/store/database/transfer/rows.ts"

/** The kinds of failures of a command, with the exit codes of its process. */
export const exitCodes = { failed: 1, usage: 2, refused: 3, forbidden: 4, unreachable: 5 } as const

/** The meanings of the exit codes, for `--help` and commands.md. */
export const exitCodeMeanings: ReadonlyArray<readonly [code: number, meaning: string]> = [
  [0, "done"],
  [exitCodes.failed, "failed, or doctor or rehearse found a fault"],
  [exitCodes.usage, "wrong usage or wrong settings; nothing was done"],
  [exitCodes.refused, "refused: the account or key is unknown or exists already, or the target is not empty"],
  [exitCodes.forbidden, "the API key is unknown, or lacks the scope"],
  [exitCodes.unreachable, "the service or the database is unreachable, or in use by another process"],
]

/** A failure for scripts: on one line, with the exit code of the process. */
export const failureJson = (kind: CommandFailed["kind"], detail: string): string =>
  JSON.stringify({ error: kind, detail, exitCode: exitCodes[kind] })

/** The command failed: `detail` says what was wrong and what to do. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  kind: Schema.Literals(["failed", "usage", "refused", "forbidden", "unreachable"]),
  detail: Schema.String,
}) {
  override get message(): string {
    return this.detail
  }
}

/** The settings of this process do not fit, which the command says as the service would. */
export const wrongSettings = ({ message }: Error): CommandFailed =>
  new CommandFailed({ kind: "usage", detail: message })

/** The kinds of the problems that mean something else than that the service failed, by their status. */
const kinds: ReadonlyMap<number, CommandFailed["kind"]> = new Map([
  [400, "usage"],
  [401, "forbidden"],
  [403, "forbidden"],
  [404, "refused"],
  [409, "refused"],
  [422, "refused"],
  [429, "unreachable"],
  [503, "unreachable"],
])

/** What is read of a problem: its sentence, and those about each parameter. */
export const Problem = Schema.Struct({
  detail: Schema.String,
  errors: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
})

/** Why the service refused an act, and how to go on. */
export const problemFailed = (status: number, { detail, errors = {} }: typeof Problem.Type): CommandFailed =>
  new CommandFailed({
    kind: kinds.get(status) ?? "failed",
    detail: status === 401
      ? `${detail}. Check BROKER_API_KEY`
      : [...new Set([detail, ...Object.values(errors).flat()])].join("\n"),
  })

export const answeredOtherwise = (service: string, reason: string): CommandFailed =>
  new CommandFailed({
    kind: "failed",
    detail: `Unexpected response of ${service}: ${reason}. ` +
      "Check BROKER_URL, and that the service and the command line have the same version",
  })

/** Why no answer of the service came, and how to go on. */
export const notAnswered = ({ reason }: HttpClientError): CommandFailed => {
  const { origin } = new URL(reason.request.url)
  return reason._tag === "TransportError"
    ? new CommandFailed({
      kind: "unreachable",
      detail: `Cannot reach ${origin}: ${reason.cause ?? "no response"}. ` +
        "Check BROKER_URL, and that the service is running",
    })
    : answeredOtherwise(origin, reason._tag)
}

/** Every failure of work with the database itself, or with files. */
type DatabaseFailure =
  | StoreFailed
  | FileExists
  | FileUnusable
  | BackupOvertaken
  | BackupUnderWay
  | BackupUnreadable
  | FolderNotEmpty
  | NoDatabase
  | DatabaseNotEmpty
  | ExportUnreadable
  | TablesDiffer

const withMessage = (kind: CommandFailed["kind"]) => ({ message }: Error) =>
  new CommandFailed({ kind, detail: message })

/** Why the database cannot be used, and how to go on. */
export const databaseFailed: (failure: DatabaseFailure) => CommandFailed = Match.type<DatabaseFailure>().pipe(
  Match.tagsExhaustive({
    FolderInUse: ({ folder }) =>
      new CommandFailed({
        kind: "unreachable",
        detail: `The database in "${folder}" is in use by another process, most likely the service. Set ` +
          "BROKER_URL and BROKER_API_KEY (a key with the scope operate) to use the running service. For migrate, " +
          "restore, export and import stop the service first",
      }),
    DatabaseUnusable: withMessage("unreachable"),
    StoreUnavailable: ({ message, cause }) =>
      new CommandFailed({ kind: "unreachable", detail: `${message}: ${cause}` }),
    FolderUnusable: withMessage("failed"),
    EmbeddedDatabaseFailed: withMessage("failed"),
    MigrationFailed: withMessage("failed"),
    DatabaseTooNew: withMessage("refused"),
    AssetsMissing: withMessage("refused"),
    FileUnusable: withMessage("failed"),
    BackupOvertaken: withMessage("failed"),
    BackupUnderWay: withMessage("unreachable"),
    BackupUnreadable: withMessage("failed"),
    ExportUnreadable: withMessage("failed"),
    FileExists: withMessage("refused"),
    FolderNotEmpty: withMessage("refused"),
    NoDatabase: withMessage("refused"),
    DatabaseNotEmpty: withMessage("refused"),
    TablesDiffer: withMessage("refused"),
  }),
)

/** Turns failures of work with the database into the one failure of commands. */
export const orDatabaseFailed = <A, R>(
  effect: Effect.Effect<A, DatabaseFailure, R>,
): Effect.Effect<A, CommandFailed, R> => Effect.mapError(effect, databaseFailed)
