import type { PGlite } from "@electric-sql/pglite"
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, type Scope } from "effect"
import type { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { FolderInUse, FolderUnusable } from "../platform/lock.ts"
import { DatabaseLocation } from "./DatabaseLocation.ts"
import { EmbeddedConnection } from "./EmbeddedConnection.ts"
import { type EmbeddedDatabaseFailed, startInFolder, startInMemory } from "./EmbeddedDatabase.ts"
import { keepTidy } from "./keepTidy.ts"
import { migrate, type MigrationFailed } from "./migrate.ts"
import { storeOperation } from "./storeOperation.ts"

/** Why the records cannot be worked with from the start. */
export type DatabaseFailed =
  | StoreUnavailable
  | MigrationFailed
  | FolderInUse
  | FolderUnusable
  | EmbeddedDatabaseFailed

type OpenClient<E> = Effect.Effect<PgClient.PgClient, E, Scope.Scope | Reactivity.Reactivity>

const applicationName = "swap-broker"

/** A client of an embedded database: one connection, which is never given up (see `EmbeddedConnection`). */
export const embeddedClient = (database: PGlite): OpenClient<SqlError.SqlError> =>
  PgClient.make({
    stream: () => new EmbeddedConnection(database),
    username: "postgres",
    applicationName,
    minConnections: 1,
    maxConnections: 1,
    idleTimeout: Duration.infinity,
  })

/** A client that looks after the database by itself, as a server would. */
const tidyEmbeddedClient = (database: PGlite): OpenClient<SqlError.SqlError> =>
  Effect.tap(embeddedClient(database), (client) => Effect.forkScoped(keepTidy(client)))

const open: (
  location: DatabaseLocation,
) => OpenClient<SqlError.SqlError | FolderInUse | FolderUnusable | EmbeddedDatabaseFailed> = DatabaseLocation
  .$match({
    Server: ({ url, maximumConnections }) =>
      PgClient.make({ url, applicationName, maxConnections: maximumConnections }),
    Folder: ({ folder }) => Effect.flatMap(startInFolder(folder), tidyEmbeddedClient),
    Memory: () => Effect.flatMap(startInMemory, tidyEmbeddedClient),
  })

const connecting = storeOperation("Sql.connect")

/** The database, connected to and with its tables up to date. */
export const sqlLayer = (
  location: DatabaseLocation,
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, DatabaseFailed> =>
  PgClient.layerFrom(
    Effect.gen(function* () {
      const client = yield* Effect.catchTag(open(location), "SqlError", (error) =>
        connecting(Effect.fail(error)))
      yield* connecting(client`SELECT 1`)
      yield* Effect.provideService(migrate, SqlClient.SqlClient, client)
      return client
    }),
  )
