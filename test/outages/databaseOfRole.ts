import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"

/**
 * An empty database on a Postgres server that belongs to a role of its own, both gone when the scope closes: a
 * server lets its superusers in however many connections there are.
 */
export const databaseOfRole = (serverUrl: string) =>
  Effect.gen(function* () {
    const admin = yield* PgClient.make({
      url: Redacted.make(serverUrl),
      minConnections: 1,
      maxConnections: 1,
      idleTimeout: Duration.infinity,
    })
    const role = `test_${crypto.randomUUID().replaceAll("-", "")}`
    const password = crypto.randomUUID()
    yield* Effect.acquireRelease(
      admin`CREATE ROLE ${admin(role)} LOGIN PASSWORD ${admin.literal(`'${password}'`)}`,
      () => Effect.orDie(admin`DROP ROLE ${admin(role)}`),
    )
    const url = new URL(yield* temporaryDatabase(serverUrl))
    yield* admin`ALTER DATABASE ${admin(url.pathname.slice(1))} OWNER TO ${admin(role)}`
    url.username = role
    url.password = password

    /** Changes the role for the connections that it makes from now on; it loses those that it has. */
    const alter = (change: string) =>
      Effect.andThen(
        admin`ALTER ROLE ${admin(role)} ${admin.literal(change)}`,
        admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${role}`,
      )
    /** The role gets so many connections at most, -1 for any number. */
    const limitConnections = (most: number) => alter(`CONNECTION LIMIT ${most}`)
    /** The role can change nothing, or can again. */
    const readOnly = (isSo: boolean) => alter(`SET default_transaction_read_only = ${isSo}`)
    return { url: url.href, limitConnections, readOnly }
  }).pipe(Effect.provide(Reactivity.layer))
