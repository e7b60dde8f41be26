import { Effect, Equal, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "../inTransaction.ts"
import { appliedMigrations } from "../migrate.ts"
import { storeOperation } from "../storeOperation.ts"
import { allSequences, allTables } from "./tables.ts"

/** The target database of an import already has rows. */
export class DatabaseNotEmpty extends Schema.TaggedError<DatabaseNotEmpty>()("DatabaseNotEmpty", {
  tables: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return `The database is not empty: there are rows in ${this.tables.join(", ")}. Import into a new ` +
      "database, before a service starts on it"
  }
}

export class TablesDiffer extends Schema.TaggedError<TablesDiffer>()("TablesDiffer", {
  theirs: Schema.String,
  ours: Schema.String,
}) {
  override get message(): string {
    return `The file has the tables of ${this.theirs}, this version those of ${this.ours}: export and import ` +
      "with the same version, after the command migrate"
  }
}

/** The input is not an export, or not a complete one. */
export class ExportUnreadable extends Schema.TaggedError<ExportUnreadable>()("ExportUnreadable", {
  reason: Schema.String,
}) {
  override get message(): string {
    return `The file is not a whole export: ${this.reason}. Nothing was imported`
  }
}

/** An export: lines of JSON, a header, lots of rows as Postgres writes them, an end with counts. */
const Header = Schema.Struct({
  format: Schema.Literal("swap-broker export 1"),
  /** The migrations that the tables had. */
  migrations: Schema.Array(Schema.String),
})

export const Lot = Schema.Struct({ table: Schema.String, rows: Schema.Array(Schema.Unknown) })

/** The last line of an export: the counts of rows, by table. */
const End = Schema.Struct({
  counts: Schema.Record(Schema.String, Schema.Int),
  /** The last number of each sequence. */
  sequences: Schema.Record(Schema.String, Schema.String),
})

const Line = Schema.fromJsonString(Schema.Union([Header, Lot, End]))

/** A lot's line, of rows that are JSON text already. */
const lotLine = (table: string, rows: ReadonlyArray<string>): string =>
  `{"table":${JSON.stringify(table)},"rows":[${rows.join(",")}]}`

/** The number of a table's rows that are in memory at a time. */
const lotSize = 500

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ row: Schema.String })))
const encodeHeader = Schema.encodeEffect(Schema.fromJsonString(Header))
const encodeEnd = Schema.encodeEffect(Schema.fromJsonString(End))

/** The number of rows of each table. */
export type Counts = Readonly<Record<string, number>>

/** Writes the whole content of the database, as of one moment, line by line. */
export const exportRows = <E, R>(write: (line: string) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const asked = storeOperation("Transfer.export")

    const exportTable = Effect.fnUntraced(function* (table: string) {
      yield* asked(
        sql`DECLARE rows_to_export NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${
          sql(table)
        } t`,
      )
      let count = 0
      while (true) {
        const lot = yield* asked(
          Effect.flatMap(sql`FETCH ${sql.literal(`${lotSize}`)} FROM rows_to_export`, decodeRows),
        )
        if (lot.length > 0) yield* write(lotLine(table, lot.map(({ row }) => row)))
        count += lot.length
        if (lot.length < lotSize) break
      }
      yield* asked(sql`CLOSE rows_to_export`)
      return [table, count] as const
    })

    const work = Effect.gen(function* () {
      yield* asked(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`)
      const migrations = yield* appliedMigrations
      yield* write(yield* asked(encodeHeader({ format: "swap-broker export 1", migrations })))
      const tables = yield* asked(allTables)
      const counts: Counts = Object.fromEntries(yield* Effect.forEach(tables, exportTable))
      const sequences = yield* asked(allSequences)
      yield* write(yield* asked(encodeEnd({ counts, sequences })))
      return counts
    })
    return yield* inTransaction(sql, "Transfer.export")(work)
  })

const decodeCounts = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ count: Schema.Int })))

const unreadable = (reason: string) => new ExportUnreadable({ reason })

const readLine = (text: string) =>
  Effect.mapError(Schema.decodeEffect(Line)(text), () => unreadable("one of its lines is none of ours"))

const isHeader = Schema.is(Header)
const isEnd = Schema.is(End)

const latest = (migrations: ReadonlyArray<string>): string => migrations.at(-1) ?? "no migration"

/** Imports a complete export, checked by its counts, into an empty database, or nothing. */
export const importRows = <E, R>(lines: Stream.Stream<string, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const asked = storeOperation("Transfer.import")
    const tables = yield* asked(allTables)

    const count = (table: string) =>
      asked(
        Effect.flatMap(sql`SELECT count(*)::int AS count FROM ${sql(table)}`, decodeCounts),
      ).pipe(Effect.map(([row]) => [table, row.count] as const))

    const counted = Effect.map(Effect.forEach(tables, count), (all): Counts => Object.fromEntries(all))

    const refuseRows = Effect.flatMap(counted, (counts) => {
      const filled = tables.filter((table) => counts[table] !== 0)
      return filled.length === 0 ? Effect.void : Effect.fail(new DatabaseNotEmpty({ tables: filled }))
    })

    const checkHeader = Effect.fnUntraced(function* ({ migrations }: typeof Header.Type) {
      const ours = yield* appliedMigrations
      if (Equal.equals(migrations, ours)) return
      return yield* new TablesDiffer({ theirs: latest(migrations), ours: latest(ours) })
    })

    // Rows that a trigger wrote exist already; the counts at the end tell whether all rows are there.
    const insert = Effect.fnUntraced(function* (table: string, line: string) {
      if (!tables.includes(table)) return yield* unreadable(`there is no table "${table}"`)
      yield* asked(sql`
        INSERT INTO ${sql(table)} OVERRIDING SYSTEM VALUE
        SELECT * FROM json_populate_recordset(NULL::${sql(table)}, ${line}::json -> 'rows')
        ON CONFLICT DO NOTHING`)
    })

    const setSequence = ([name, last]: readonly [string, string]) =>
      asked(sql`SELECT setval(quote_ident(${name})::regclass, ${last}::text::bigint)`)

    /** Handles a line. The first must be the header, and the last must be the end. */
    const take = Effect.fnUntraced(function* (seen: Seen, text: string) {
      const line = yield* readLine(text)
      if (isHeader(line)) {
        yield* checkHeader(line)
        return { ...seen, header: true }
      }
      if (!seen.header || Option.isSome(seen.end)) return yield* unreadable("its lines are out of order")
      if (isEnd(line)) return { ...seen, end: Option.some(line) }
      yield* insert(line.table, text)
      return seen
    })

    const work = Effect.gen(function* () {
      yield* asked(
        sql`LOCK TABLE ${sql.csv(tables.map((table) => sql`${sql(table)}`))} IN ACCESS EXCLUSIVE MODE`,
      )
      yield* refuseRows
      const { end } = yield* Stream.runFoldEffect(lines, () => nothingSeen, take)
      if (Option.isNone(end)) return yield* unreadable("its end is missing")
      yield* Effect.forEach(Object.entries(end.value.sequences), setSequence, { discard: true })
      const counts = yield* counted
      if (!Equal.equals(counts, end.value.counts)) return yield* unreadable("rows are missing")
      return counts
    })
    return yield* inTransaction(sql, "Transfer.import")(work)
  })

interface Seen {
  readonly header: boolean
  readonly end: Option.Option<typeof End.Type>
}

const nothingSeen: Seen = { header: false, end: Option.none() }
