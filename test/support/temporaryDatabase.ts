import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"

/** The URL of an empty database on a Postgres server, which is dropped when the scope closes. */
export const temporaryDatabase = (serverUrl: string) =>
  Effect.gen(function* () {
    const name = `test_${crypto.randomUUID().replaceAll("-", "")}`
    // Never connects again at the end: a finalizer cannot be interrupted, and a test clock never times out.
    const admin = yield* PgClient.make({
      url: Redacted.make(serverUrl),
      minConnections: 1,
      maxConnections: 1,
      idleTimeout: Duration.infinity,
    })
    yield* Effect.acquireRelease(
      admin`CREATE DATABASE ${admin(name)}`,
      () => Effect.orDie(admin`DROP DATABASE ${admin(name)} WITH (FORCE)`),
    )
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return url.href
  }).pipe(Effect.provide(Reactivity.layer))
