import { Option } from "effect"
import type { Settings } from "../Config.ts"
import { DatabaseLocation } from "../store/DatabaseLocation.ts"

/** The settings that say where the records are. */
export type DatabaseSettings = Pick<Settings, "databaseUrl" | "databaseConnections" | "dataDir">

/** Where the records are: a Postgres server, a folder, or nowhere. */
export const databaseLocation = (settings: DatabaseSettings): DatabaseLocation =>
  Option.match(settings.databaseUrl, {
    onSome: (url) => DatabaseLocation.Server({ url, maximumConnections: settings.databaseConnections }),
    onNone: () =>
      settings.dataDir === "memory"
        ? DatabaseLocation.Memory()
        : DatabaseLocation.Folder({ folder: settings.dataDir }),
  })
