import { Data, type Redacted } from "effect"

/** The place of the records (settings `DATABASE_URL` and `DATA_DIR`). */
export type DatabaseLocation = Data.TaggedEnum<{
  /** A Postgres server, `postgres://…`. */
  Server: { readonly url: Redacted.Redacted<string>; readonly maximumConnections: number }
  /** The embedded database, in a folder that only this process uses. */
  Folder: { readonly folder: string }
  /** The embedded database without a folder: its rows are lost when the process ends. */
  Memory: object
}>
export const DatabaseLocation = Data.taggedEnum<DatabaseLocation>()
