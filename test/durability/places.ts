import { Effect, Redacted, type Scope } from "effect"
import { DatabaseLocation } from "../../src/store/DatabaseLocation.ts"
import type { Environment } from "../support/process.ts"
import { temporaryDatabase } from "../support/temporaryDatabase.ts"
import { temporaryFolder } from "./folder.ts"

const serverUrl = Deno.env.get("TEST_DATABASE_URL")

const embedded = Effect.map(temporaryFolder, (folder) => ({ DATA_DIR: folder }))

/** An empty database on the server, with a folder for what a sandbox keeps. */
export const onServer = (url: string) =>
  Effect.gen(function* () {
    return { ...(yield* embedded), DATABASE_URL: yield* temporaryDatabase(url) }
  }).pipe(Effect.orDie)

/** Where a service keeps its records, and what tells it so. */
export interface Place {
  readonly name: string
  readonly environment: Effect.Effect<Environment, never, Scope.Scope>
}

/** Postgres servers to test with: that of `TEST_DATABASE_URL`, if it is set. */
export const servers: ReadonlyArray<string> = serverUrl === undefined ? [] : [serverUrl]

/** The embedded database, and the Postgres of `TEST_DATABASE_URL` where that is set. */
export const places: ReadonlyArray<Place> = [
  { name: "the embedded database", environment: embedded },
  ...servers.map((url) => ({ name: "Postgres", environment: onServer(url) })),
]

/** Where the records of such an environment are, for those who look when no service does. */
export const locationOf = ({ DATABASE_URL, DATA_DIR = "" }: Environment): DatabaseLocation =>
  DATABASE_URL === undefined
    ? DatabaseLocation.Folder({ folder: DATA_DIR })
    : DatabaseLocation.Server({ url: Redacted.make(DATABASE_URL), maximumConnections: 2 })
