import { Effect, Redacted } from "effect"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { copyOf } from "#test/support/folder.ts"
import type { Environment } from "#test/support/process.ts"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"

/** A database of its own, as the bench and the service are told of it. */
export interface Place {
  readonly location: DatabaseLocation
  readonly environment: Environment
}

/** A kind of database, and how many swaps it is filled with in a bearable time. */
export interface Kind {
  readonly name: string
  readonly swaps: number
}

const serverUrl = Deno.env.get("BENCH_DATABASE_URL") ?? "postgres://postgres@127.0.0.1:5432/postgres"

const onServer = Effect.map(temporaryDatabase(serverUrl), (url): Place => ({
  location: DatabaseLocation.Server({ url: Redacted.make(url), maximumConnections: 2 }),
  environment: { DATABASE_URL: url },
}))

const inFolder = (empty: string) =>
  Effect.map(copyOf(empty), (folder): Place => ({
    location: DatabaseLocation.Folder({ folder }),
    environment: { DATA_DIR: folder },
  }))

/** Two databases on the Postgres server of this machine, else two embedded ones, which hold a tenth. */
export const twoPlaces = Effect.fnUntraced(function* (swaps: number, empty: string) {
  const served = Effect.all([onServer, onServer]).pipe(
    Effect.map((places) => ({ kind: { name: "Postgres", swaps }, places })),
  )
  const embedded = Effect.all([inFolder(empty), inFolder(empty)]).pipe(
    Effect.map((places) => ({ kind: { name: "the embedded database", swaps: swaps / 10 }, places })),
  )
  return yield* Effect.catch(served, () => embedded)
})
