import { Data, type Redacted } from "effect"

/** Where the records are kept (settings `DATABASE_URL` and `DATA_DIR`). */
export type DatabaseLocation = Data.TaggedEnum<{
  /** A Postgres server, `postgres://…`. */
  Server: { readonly url: Redacted.Redacted<string>; readonly maximumConnections: number }
  /** The embedded database, in a folder of this process alone. */
  Folder: { readonly folder: string }
  /** The embedded database without a folder: its rows are forgotten when the process ends. */
  Memory: object
}>
export const DatabaseLocation = Data.taggedEnum<DatabaseLocation>()
