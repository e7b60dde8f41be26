import { Effect, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { migrations, unnoticed } from "../../../../migrations/mod.ts"
import { version } from "../../platform/version.ts"
import { storeOperation } from "./storeOperation.ts"

/** The tables could not be brought up to date, and are unchanged. */
export class MigrationFailed extends Schema.TaggedError<MigrationFailed>()("MigrationFailed", {
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `The database could not be brought up to date: ${this.cause}`
  }
}

/** The database has had changes of a later version, with which this one would go wrong. It is unchanged. */
export class DatabaseTooNew extends Schema.TaggedError<DatabaseTooNew>()("DatabaseTooNew", {
  changes: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return `The database is of a later version: it has had ${
      this.changes.join(", ")
    }, which version ${version} ` +
      "does not know and would go wrong with. Start the version that ran last, or a later one; to go back, restore " +
      "the copy from before the upgrade. Nothing was changed"
  }
}

/** The changes that a version knows. */
interface Changes {
  readonly migrations: Parameters<typeof Migrator.fromRecord>[0]
  /** Those of them that a version without them does not notice. */
  readonly unnoticed: ReadonlyArray<string>
}

const ours: Changes = { migrations, unnoticed }

/** The key of the advisory lock: any number that nothing else on the server locks. */
const migrationLock = 7_281_640_131n

/** The name of a migration, as in `migrations/`. */
const nameOf = (id: number, name: string): string => `${id}`.padStart(4, "0") + `_${name}`

const AppliedRows = Schema.Array(
  Schema.Struct({ migration_id: Schema.Int, name: Schema.String, is_unnoticed: Schema.Boolean }),
)
const decodeApplied = Schema.decodeUnknownEffect(AppliedRows)

/** The changes that a database has had, the first one first; none if it has no tables. */
const applied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables =
    yield* sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'`
  if (tables.length === 0) return []
  // The rows are read as JSON, because databases of earlier versions lack the column.
  const rows = yield* decodeApplied(
    yield* sql`
      SELECT migration_id, name, coalesce((to_jsonb(m) ->> 'is_unnoticed')::boolean, false) AS is_unnoticed
      FROM migrations m ORDER BY migration_id`,
  )
  return rows.map(({ migration_id, name, is_unnoticed }) => ({
    name: nameOf(migration_id, name),
    isUnnoticed: is_unnoticed,
  }))
}).pipe(storeOperation("Migrations.applied"))

/** The names of the migrations that a database has had, the first one first. */
export const appliedMigrations = Effect.map(applied, (all) => all.map(({ name }) => name))

/** How a database stands to the changes that a version knows. */
interface Standing {
  /** Whether the database has had none at all. */
  readonly isNew: boolean
  /** Those that the database still lacks. */
  readonly pending: ReadonlyArray<string>
  /** Those of a later version with which this one works all the same. */
  readonly unnoticed: ReadonlyArray<string>
  /** Those of a later version with which this one would go wrong. */
  readonly tooNew: ReadonlyArray<string>
}

const standingFor = (changes: Changes) =>
  Effect.map(applied, (all): Standing => {
    const known = Object.keys(changes.migrations)
    const latest = all.at(-1)?.name ?? ""
    const later = all.filter(({ name }) => !known.includes(name))
    return {
      isNew: all.length === 0,
      pending: known.filter((name) => name > latest),
      unnoticed: later.filter(({ isUnnoticed }) => isUnnoticed).map(({ name }) => name),
      tooNew: later.filter(({ isUnnoticed }) => !isUnnoticed).map(({ name }) => name),
    }
  })

/** How a database stands to the changes that this version knows. */
export const migrationStanding = standingFor(ours)

const refuseTooNew = Effect.fnUntraced(function* ({ tooNew, unnoticed }: Standing) {
  if (tooNew.length > 0) return yield* new DatabaseTooNew({ changes: tooNew })
  if (unnoticed.length > 0) {
    yield* Effect.logInfo(
      `The database has had changes of a later version, with which this one works: ${unnoticed.join(", ")}`,
    )
  }
})

/** Keeps which changes are unnoticed, in the migrator's own table, for versions without them. */
const keepUnnoticed = Effect.fnUntraced(function* (made: ReadonlyArray<number>) {
  if (made.length === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE migrations ADD COLUMN IF NOT EXISTS is_unnoticed boolean NOT NULL DEFAULT false`
  yield* sql`UPDATE migrations SET is_unnoticed = true WHERE ${sql.in("migration_id", made)}`
})

/** Logs each change that was made; those of a new database as one. */
const tellMade = (made: ReadonlyArray<string>): Effect.Effect<void> =>
  made[0] === Object.keys(migrations)[0]
    ? Effect.logInfo(`The tables of a new database were made, up to ${made.at(-1)}`)
    : Effect.forEach(made, (name) => Effect.logInfo(`The database was changed: ${name}`), { discard: true })

/** `migrate` of a version with these changes. */
export const migrateWith = Effect.fnUntraced(function* (changes: Changes) {
  const sql = yield* SqlClient.SqlClient
  const migrator = Migrator.make({})({ loader: Migrator.fromRecord(changes.migrations), table: "migrations" })
  const bringUpToDate = Effect.gen(function* () {
    yield* sql`SELECT pg_advisory_xact_lock(${migrationLock})`
    yield* Effect.flatMap(standingFor(changes), refuseTooNew)
    const made = yield* migrator
    const isUnnoticed = (id: number, name: string) => changes.unnoticed.includes(nameOf(id, name))
    yield* keepUnnoticed(made.flatMap(([id, name]) => isUnnoticed(id, name) ? [id] : []))
    return made.map(([id, name]) => nameOf(id, name))
  })
  return yield* sql.withTransaction(bringUpToDate).pipe(
    Effect.mapError((cause) => cause._tag === "DatabaseTooNew" ? cause : new MigrationFailed({ cause })),
    Effect.tap(tellMade),
  )
})

/**
 * Brings the tables up to date, in one transaction and under a lock: of several replicas that start together, the first
 * migrates and the others wait. Returns the migrations that were applied. Fails with `DatabaseTooNew` where a later
 * version has made changes with which this one would go wrong.
 */
export const migrate = migrateWith(ours)
