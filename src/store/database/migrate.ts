import { Effect, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { migrations } from "../../../migrations/mod.ts"
import { storeOperation } from "./storeOperation.ts"

/** The tables could not be brought up to date, and are unchanged. */
export class MigrationFailed extends Schema.TaggedError<MigrationFailed>()("MigrationFailed", {
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `The database could not be brought up to date: ${this.cause}`
  }
}

/** The key of the advisory lock: any number that nothing else on the server locks. */
const migrationLock = 7_281_640_131n

const migrator = Migrator.make({})({
  loader: Migrator.fromRecord(migrations),
  table: "migrations",
})

/** The name of a migration, as in `migrations/`. */
const nameOf = (id: number, name: string): string => `${id}`.padStart(4, "0") + `_${name}`

const AppliedRows = Schema.Array(Schema.Struct({ migration_id: Schema.Int, name: Schema.String }))
const decodeApplied = Schema.decodeUnknownEffect(AppliedRows)

/** The migrations that a database has had, the first one first; none if it has no tables. */
export const appliedMigrations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables =
    yield* sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'`
  if (tables.length === 0) return []
  const rows = yield* decodeApplied(
    yield* sql`SELECT migration_id, name FROM migrations ORDER BY migration_id`,
  )
  return rows.map(({ migration_id, name }) => nameOf(migration_id, name))
}).pipe(storeOperation("Migrations.applied"))

/** The migrations that a database still lacks. */
export const pendingMigrations = Effect.map(appliedMigrations, (applied) => {
  const latest = applied.at(-1) ?? ""
  return Object.keys(migrations).filter((name) => name > latest)
})

/**
 * Brings the tables up to date, in one transaction and under a lock: of several replicas that start together, the first
 * migrates and the others wait. Returns the migrations that were applied.
 */
export const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const made = yield* sql.withTransaction(
    Effect.andThen(sql`SELECT pg_advisory_xact_lock(${migrationLock})`, migrator),
  )
  return made.map(([id, name]) => nameOf(id, name))
}).pipe(Effect.mapError((cause) => new MigrationFailed({ cause })))
