import { Schema } from "effect"

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
export const Header = Schema.Struct({
  format: Schema.Literal("swap-broker export 1"),
  /** The migrations that the tables had. */
  migrations: Schema.Array(Schema.String),
})

export const Lot = Schema.Struct({ table: Schema.String, rows: Schema.Array(Schema.Unknown) })

/** The last line of an export: the counts of rows, by table. */
export const End = Schema.Struct({
  counts: Schema.Record(Schema.String, Schema.Int),
  /** The last number of each sequence. */
  sequences: Schema.Record(Schema.String, Schema.String),
})

export const Line = Schema.fromJsonString(Schema.Union([Header, Lot, End]))

/** A lot's line, of rows that are JSON text already. */
export const lotLine = (table: string, rows: ReadonlyArray<string>): string =>
  `{"table":${JSON.stringify(table)},"rows":[${rows.join(",")}]}`
