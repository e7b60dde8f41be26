import { Schema } from "effect"

/** The database that is to be filled has rows already. */
export class DatabaseNotEmpty extends Schema.TaggedError<DatabaseNotEmpty>()("DatabaseNotEmpty", {
  tables: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return `The database is not empty: there are rows in ${this.tables.join(", ")}. Import into a new ` +
      "database, before a service starts on it"
  }
}

/** The rows are of other tables than the database has. */
export class TablesDiffer extends Schema.TaggedError<TablesDiffer>()("TablesDiffer", {
  theirs: Schema.String,
  ours: Schema.String,
}) {
  override get message(): string {
    return `The file has the tables of ${this.theirs}, this version those of ${this.ours}: export and import ` +
      "with the same version, after the command migrate"
  }
}

/** What is to be read is no export, or not all of one. */
export class ExportUnreadable extends Schema.TaggedError<ExportUnreadable>()("ExportUnreadable", {
  reason: Schema.String,
}) {
  override get message(): string {
    return `The file is not a whole export: ${this.reason}. Nothing was imported`
  }
}

/**
 * An export is lines of JSON: a header, then the rows of each table in lots, then an end that says how many there
 * were. The rows are what Postgres itself makes of them (`row_to_json`) and go back into it unread by us, so that
 * every number, time and byte stays exactly what it was.
 */
export const Header = Schema.Struct({
  format: Schema.Literal("swap-broker export 1"),
  /** The migrations that made the tables. */
  migrations: Schema.Array(Schema.String),
})

/** Some rows of one table. */
export const Lot = Schema.Struct({ table: Schema.String, rows: Schema.Array(Schema.Unknown) })

/** What there was of everything. */
export const End = Schema.Struct({
  counts: Schema.Record(Schema.String, Schema.Int),
  /** The last number of each sequence. */
  sequences: Schema.Record(Schema.String, Schema.String),
})

export const Line = Schema.fromJsonString(Schema.Union([Header, Lot, End]))

/** The line of some rows that are JSON already. */
export const lotLine = (table: string, rows: ReadonlyArray<string>): string =>
  `{"table":${JSON.stringify(table)},"rows":[${rows.join(",")}]}`
