import { Effect, Layer, Redacted } from "effect"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { adminOf, temporaryDatabase, urlOf } from "../temporaryDatabase.ts"
import { once, runFolder } from "./once.ts"

/** The name of the database that a run copies; those of its copies begin with it. */
const templateOf = (folder: string): string =>
  `test_${folder.replaceAll(/^.*\/|[^a-z0-9]/gi, "").toLowerCase()}`

const make = (serverUrl: string, name: string) => (place: string): Promise<void> =>
  Effect.gen(function* () {
    const admin = yield* adminOf(serverUrl)
    yield* admin`CREATE DATABASE ${admin(name)}`
    const url = Redacted.make(urlOf(serverUrl, name))
    yield* Effect.scoped(Layer.build(sqlLayer(DatabaseLocation.Server({ url, maximumConnections: 1 }))))
    yield* Effect.promise(() => Deno.writeTextFile(place, name))
  }).pipe(Effect.scoped, Effect.runPromise)

const made = new Map<string, () => Promise<string>>()

/** Makes the database with all tables on a server, unless a process of the run has made it. */
const templateOn = (serverUrl: string) =>
  Effect.promise(async () => {
    const name = templateOf(runFolder())
    const { host } = new URL(serverUrl)
    const prepare = made.get(host) ?? once(`template-${host}`, make(serverUrl, name))
    made.set(host, prepare)
    await prepare()
    return name
  })

/** The URL of a database on a server that has its tables, and nothing in them; it is dropped when the scope closes. */
export const preparedDatabase = (serverUrl: string) =>
  Effect.flatMap(templateOn(serverUrl), (template) => temporaryDatabase(serverUrl, template))

/** Drops the database that a run copied, and all copies that a process of the run left behind. */
export const dropTemplates = (folder: string, serverUrls: Iterable<string>): Promise<void> =>
  Effect.gen(function* () {
    for (const serverUrl of serverUrls) {
      const admin = yield* adminOf(serverUrl)
      const left = yield* admin<{ readonly datname: string }>`
        SELECT datname FROM pg_database WHERE starts_with(datname, ${templateOf(folder)})`
      for (const { datname } of left) yield* admin`DROP DATABASE IF EXISTS ${admin(datname)} WITH (FORCE)`
    }
  }).pipe(Effect.scoped, Effect.runPromise)
