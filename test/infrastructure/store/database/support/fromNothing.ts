import { PGlite } from "@electric-sql/pglite"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { sharedBuffers, startParams } from "#infrastructure/store/database/EmbeddedDatabase.ts"
import { migrate } from "#infrastructure/store/database/migrate.ts"
import { embeddedClient } from "#infrastructure/store/database/Sql.ts"

/** The memory for pages, and WAL segments of 1 MiB instead of 16: a new database takes half the space. */
const initDbStartParams = ["--wal-segsize=1", "--set", sharedBuffers]

/** Makes a database that is a copy of no other, with its tables, in a folder or else in memory. */
export const fromNothing = (dataDir?: string) =>
  Effect.gen(function* () {
    const database = yield* Effect.acquireRelease(
      Effect.promise(() =>
        PGlite.create({ ...dataDir === undefined ? {} : { dataDir }, startParams, initDbStartParams })
      ),
      (database) => Effect.promise(() => database.close()),
    )
    const client = yield* embeddedClient(database)
    yield* Effect.provideService(migrate, SqlClient.SqlClient, client)
    return database
  }).pipe(Effect.provide(Reactivity.layer))
