import { Schema } from "effect"

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
