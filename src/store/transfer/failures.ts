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
