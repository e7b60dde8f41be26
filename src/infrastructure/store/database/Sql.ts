import { PgClient } from "@effect/sql-pg"
import type { PGlite } from "@electric-sql/pglite"
import { Duration, Effect, Layer, Option, Predicate, Redacted, Schedule, Schema, type Scope } from "effect"
import type { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import { endProcess } from "../../platform/endProcess.ts"
import type { FolderInUse, FolderUnusable, Turns } from "../../platform/lock.ts"
import { DatabaseLocation } from "./DatabaseLocation.ts"
import { EmbeddedConnection } from "./EmbeddedConnection.ts"
import type { EmbeddedDatabaseFailed } from "./EmbeddedDatabase.ts"
import { Gathering } from "./batched.ts"
import { type DatabaseTooNew, migrate, type MigrationFailed } from "./migrate.ts"

const every = (interval: Duration.Input, work: Effect.Effect<unknown, SqlError.SqlError>) =>
  work.pipe(
    Effect.catch((error) => Effect.logWarning("Cleaning the embedded database failed", error)),
    Effect.delay(interval),
    Effect.repeat(Schedule.forever),
  )

/**
 * Plans are kept, and one that was made for a table said to be empty reads all of it however large it grows: after 3,000
 * swaps, recording another took three times as long. Of a table of which nothing is said the planner assumes some pages,
 * and takes the index. A server need not forget, as it looks every minute at what has grown.
 */
const forgetSmallTables = (sql: SqlClient.SqlClient) =>
  sql`
    SELECT pg_clear_relation_stats(nspname, relname) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'public' AND relkind = 'r' AND relpages < 10 AND reltuples >= 0`

/** The bytes of the log that may gather during a backup: the disk has to hold them, and the next start to repeat them. */
const mostLog = 2 ** 31

const isLonger = (sql: SqlClient.SqlClient, mostLog: number) =>
  Effect.map(
    sql<{ readonly is: boolean }>`
      SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > ${mostLog} AS is FROM pg_control_checkpoint()`,
    ([row]) => row?.is === true,
  )

/** When checkpoints are written. */
interface Checkpoints {
  /** The turns of checkpoints and backups; none where nobody makes a backup. */
  readonly turns: Pick<Turns, "ifFree">
  readonly mostLog: number
}

const unhindered: Checkpoints = { turns: { ifFree: Effect.asSome }, mostLog }

/** Writes a checkpoint, unless a backup is being made. One that takes too long is overtaken, and fails. */
const checkpoint = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { mostLog, turns }: Checkpoints) {
  const write = sql`CHECKPOINT`
  if (Option.isSome(yield* turns.ifFree(write)) || !(yield* isLonger(sql, mostLog))) return
  yield* Effect.logWarning("The backup takes longer than its time limit. Start it again")
  yield* write
})

/**
 * The work of a server's background processes, which the embedded database lacks. It writes checkpoints, without which
 * the write-ahead log grows until the next start and has to be replayed then; it frees the space of old row versions;
 * and it refreshes the planner's statistics. Each takes a fraction of a second, during which other statements wait.
 */
export const keepTidy = (
  sql: SqlClient.SqlClient,
  checkpoints: Partial<Checkpoints> = {},
): Effect.Effect<void> =>
  Effect.all([
    every("20 seconds", checkpoint(sql, { ...unhindered, ...checkpoints })),
    every("10 minutes", Effect.andThen(sql`VACUUM (ANALYZE)`, forgetSmallTables(sql))),
  ], { concurrency: "unbounded", discard: true })

/** Why the database cannot be used at the start. */
export type DatabaseFailed =
  | DatabaseUnusable
  | MigrationFailed
  | DatabaseTooNew
  | FolderInUse
  | FolderUnusable
  | EmbeddedDatabaseFailed

/** Idle time before TCP probes, by which the connection that waits for notifications notices that a server vanished. */
const probeIdle = Duration.seconds(30)

type OpenClient<E> = Effect.Effect<PgClient.PgClient, E, Scope.Scope | Reactivity.Reactivity>

const applicationName = "swap-broker"

/** Ends the process when the engine has failed. Every acknowledged write is on disk, and the next start recovers it. */
const endWithEngine = (why: string) =>
  endProcess(
    `The embedded database cannot go on: ${why}. Nothing that was acknowledged is lost. ` +
      "Check that DATA_DIR can be written and that its disk has space, then start again",
  )

/** A client of an embedded database: a single connection, which is never closed (see `EmbeddedConnection`). */
export const embeddedClient = (database: PGlite): OpenClient<SqlError.SqlError> =>
  PgClient.make({
    stream: () => new EmbeddedConnection(database, endWithEngine),
    username: "postgres",
    applicationName,
    minConnections: 1,
    maxConnections: 1,
    idleTimeout: Duration.infinity,
  }).pipe(Effect.tap(forgetSmallTables))

/** A client that also does the upkeep of the database, as a server would. */
const tidyEmbeddedClient = (
  database: PGlite,
  checkpoints?: Partial<Checkpoints>,
): OpenClient<SqlError.SqlError> =>
  embeddedClient(database).pipe(Effect.tap((client) => Effect.forkScoped(keepTidy(client, checkpoints))))

/** The embedded engine, loaded only when it is used. */
const embedded = Effect.promise(() => import("./EmbeddedDatabase.ts"))

const open: (
  location: DatabaseLocation,
) => OpenClient<SqlError.SqlError | FolderInUse | FolderUnusable | EmbeddedDatabaseFailed> = DatabaseLocation
  .$match({
    Server: ({ url, maximumConnections }) =>
      PgClient.make({ url, applicationName, maxConnections: maximumConnections, keepAlive: probeIdle }),
    Folder: ({ folder }) =>
      Effect.gen(function* () {
        const { checkpointTurns, startInFolder } = yield* embedded
        const database = yield* startInFolder(folder)
        return yield* tidyEmbeddedClient(database, { turns: yield* checkpointTurns(folder, "begin") })
      }),
    Memory: () =>
      Effect.gen(function* () {
        const { startInMemory } = yield* embedded
        return yield* tidyEmbeddedClient(yield* startInMemory)
      }),
  })

/** The Postgres server cannot be used; `place` has no user and no password. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>()("DatabaseUnusable", {
  place: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `The database ${this.place} cannot be used: ${this.reason}. Check DATABASE_URL and the server`
  }
}

const placeOf: (location: DatabaseLocation) => string = DatabaseLocation.$match({
  Server: ({ url }) => {
    const text = Redacted.value(url)
    if (!URL.canParse(text)) return "of DATABASE_URL"
    const { host, pathname } = new URL(text)
    return `${host}${pathname}`
  },
  Folder: ({ folder }) => folder,
  Memory: () => "in memory",
})

/** The innermost message, as the outer ones do not say what happened. */
const reasonOf = (error: unknown, depth = 0): string => {
  if (depth < 6 && Predicate.hasProperty(error, "reason")) return reasonOf(error.reason, depth + 1)
  if (depth < 6 && Predicate.hasProperty(error, "cause") && error.cause !== undefined) {
    return reasonOf(error.cause, depth + 1)
  }
  return Predicate.hasProperty(error, "message") ? `${error.message}` : `${error}`
}

const connect = Effect.fnUntraced(function* (location: DatabaseLocation) {
  const unusable = (error: SqlError.SqlError) =>
    Effect.fail(new DatabaseUnusable({ place: placeOf(location), reason: reasonOf(error) }))
  const client = yield* Effect.catchTag(open(location), "SqlError", unusable)
  yield* Effect.catchTag(client`SELECT 1`, "SqlError", unusable)
  return client
})

/** A connection to the database, without any migration. */
export const connectionLayer = (location: DatabaseLocation) => PgClient.layerFrom(connect(location))

/** How long writes gather. The embedded database blocks the process while it works, so none could join without. */
const gatheringOf: (location: DatabaseLocation) => Gathering = DatabaseLocation.$match({
  Server: () => Duration.zero,
  Folder: () => Duration.millis(2),
  Memory: () => Duration.millis(2),
})

/** A connection to the database, after its tables were brought up to date. */
export const sqlLayer = (location: DatabaseLocation) =>
  Layer.merge(
    PgClient.layerFrom(
      Effect.tap(connect(location), (client) => Effect.provideService(migrate, SqlClient.SqlClient, client)),
    ),
    Layer.succeed(Gathering, gatheringOf(location)),
  )
