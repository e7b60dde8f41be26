import { Effect, Redacted, type Scope } from "effect"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import type { Environment } from "#test/support/process.ts"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { preparedFolder } from "#test/support/prepared/database.ts"

const serverUrl = Deno.env.get("TEST_DATABASE_URL")

const inFolder = (folder: string) => ({ DATA_DIR: folder })
const empty = Effect.map(temporaryFolder, inFolder)
const prepared = Effect.map(preparedFolder, inFolder)

/** An empty database on the server, with a folder for what a sandbox keeps. */
export const onServer = (url: string) =>
  Effect.gen(function* () {
    return { ...(yield* empty), DATABASE_URL: yield* temporaryDatabase(url) }
  }).pipe(Effect.orDie)

/** Where a service keeps its records, and what tells it so. */
export interface Place {
  readonly name: string
  readonly environment: Effect.Effect<Environment, never, Scope.Scope>
}

/** Postgres servers to test with: that of `TEST_DATABASE_URL`, if it is set. */
export const servers: ReadonlyArray<string> = serverUrl === undefined ? [] : [serverUrl]

const placesWith = (embedded: Place["environment"]): ReadonlyArray<Place> => [
  { name: "the embedded database", environment: embedded },
  ...servers.map((url) => ({ name: "Postgres", environment: onServer(url) })),
]

/** The embedded database in an empty folder, and the Postgres of `TEST_DATABASE_URL` where that is set. */
export const emptyPlaces = placesWith(empty)

/** The same, but for a folder that has the embedded database: its first start takes seconds. */
export const places = placesWith(prepared)

/**
 * A swap that a killed process was at is looked up again after this and six seconds more, not after eleven: most
 * of what a test of kills waits for.
 */
export const shortLeases = { STATUS_DEADLINE: "2 seconds", STATUS_TIMEOUT: "2 seconds" }

/** Where the records of such an environment are, for those who look when no service does. */
export const locationOf = ({ DATABASE_URL, DATA_DIR = "" }: Environment): DatabaseLocation =>
  DATABASE_URL === undefined
    ? DatabaseLocation.Folder({ folder: DATA_DIR })
    : DatabaseLocation.Server({ url: Redacted.make(DATABASE_URL), maximumConnections: 2 })
