import { Effect } from "effect"
import type { DatabaseLocation } from "../../store/database/DatabaseLocation.ts"
import { hasDatabase } from "../../store/database/EmbeddedDatabase.ts"
import { pendingMigrations } from "../../store/database/migrate.ts"
import { connectionLayer } from "../../store/database/Sql.ts"
import { databaseFailed } from "../failures.ts"
import { type Finding, ill, well } from "./Finding.ts"

const place = (location: DatabaseLocation): string =>
  location._tag === "Folder" ? `embedded in "${location.folder}"` : "the server of DATABASE_URL answers"

const tables = (pending: ReadonlyArray<string>): Finding =>
  pending.length === 0 ? well("migrations", "the tables are up to date") : ill(
    "migrations",
    `still to be made: ${pending.join(", ")}`,
    "Run the command migrate, or start the service",
  )

/** Whether the database can be worked with, and whether its tables are up to date. Changes nothing. */
export const checkDatabase = Effect.fnUntraced(
  function* (location: DatabaseLocation) {
    if (location._tag === "Memory") return [well("database", "in memory: nothing is kept (DATA_DIR=memory)")]
    if (location._tag === "Folder" && !(yield* hasDatabase(location.folder))) {
      return [well("database", `none in "${location.folder}" yet; the first start makes it`)]
    }
    const pending = yield* Effect.provide(pendingMigrations, connectionLayer(location))
    return [well("database", place(location)), tables(pending)]
  },
  Effect.catchTag("FolderInUse", ({ folder }) =>
    Effect.succeed([
      well(
        "database",
        `"${folder}" is in use by another process, most likely the service; set BROKER_URL and BROKER_API_KEY ` +
          "to check that one",
      ),
    ])),
  Effect.catch((error) => {
    const { detail } = databaseFailed(error)
    const todo = "Start the database server, or correct DATABASE_URL or DATA_DIR"
    return Effect.succeed([ill("database", detail, todo)])
  }),
)
