import { Effect, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { migrations } from "../../migrations/mod.ts"

/** The tables could not be brought up to date; nothing of the change remains. */
export class MigrationFailed extends Schema.TaggedError<MigrationFailed>()("MigrationFailed", {
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `The database could not be brought up to date: ${this.cause}`
  }
}

/** Any number that nothing else on the server locks. */
const migrationLock = 7_281_640_131n

const migrator = Migrator.make({})({
  loader: Migrator.fromRecord(migrations),
  table: "migrations",
})

/**
 * Brings the tables up to date, in one transaction and under a lock: of several replicas that start
 * together, one does it and the others wait for it.
 */
export const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(
    Effect.andThen(sql`SELECT pg_advisory_xact_lock(${migrationLock})`, migrator),
  )
}).pipe(Effect.mapError((cause) => new MigrationFailed({ cause })))
