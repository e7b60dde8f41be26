import { Effect, Redacted } from "effect"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import type { Environment } from "#test/support/process.ts"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"

/** Where the gate, too, looks for a Postgres server. */
const serverUrl = "postgres://postgres@127.0.0.1:5432/postgres"

/** An empty place for records. */
export interface Place {
  /** As the report names it. */
  readonly name: string
  readonly location: DatabaseLocation
  /** Settings of a service that keeps its records there. */
  readonly settings: Environment
}

/**
 * A database of its own on the Postgres server of this machine, or where there is none the embedded one in the
 * folder. It is gone when the scope closes.
 */
export const openPlace = (folder: string) =>
  temporaryDatabase(serverUrl).pipe(
    Effect.map((url): Place => ({
      name: "Postgres",
      location: DatabaseLocation.Server({ url: Redacted.make(url), maximumConnections: 2 }),
      settings: { DATABASE_URL: url },
    })),
    Effect.catchTag("SqlError", () =>
      Effect.succeed<Place>({
        name: "the embedded database",
        location: DatabaseLocation.Folder({ folder }),
        settings: { DATA_DIR: folder },
      })),
  )
