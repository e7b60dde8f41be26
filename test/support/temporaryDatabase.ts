import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"

/**
 * A connection to a Postgres server, for making and dropping databases. It never connects again at the end: a finalizer
 * cannot be interrupted, and a test clock never times out.
 */
export const adminOf = (serverUrl: string) =>
  PgClient.make({
    url: Redacted.make(serverUrl),
    minConnections: 1,
    maxConnections: 1,
    idleTimeout: Duration.infinity,
  }).pipe(Effect.provide(Reactivity.layer))

/** Letters and digits that name nothing else. */
export const newName = (): string => crypto.randomUUID().replaceAll("-", "")

/** The URL of another database of a server. */
export const urlOf = (serverUrl: string, database: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/**
 * The URL of a database on a Postgres server, which is dropped when the scope closes: an empty one, or a copy of a
 * template, whose name its own begins with.
 */
export const temporaryDatabase = (serverUrl: string, template?: string) =>
  Effect.gen(function* () {
    const name = template === undefined ? `test_${newName()}` : `${template}_${newName().slice(0, 16)}`
    const admin = yield* adminOf(serverUrl)
    yield* Effect.acquireRelease(
      admin`CREATE DATABASE ${admin(name)} TEMPLATE ${admin(template ?? "template1")}`,
      () => Effect.orDie(admin`DROP DATABASE ${admin(name)} WITH (FORCE)`),
    )
    // Only our own processes are killed, never the server: its commits need not wait for the disk.
    yield* admin`ALTER DATABASE ${admin(name)} SET synchronous_commit = off`
    return urlOf(serverUrl, name)
  })
