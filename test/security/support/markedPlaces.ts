import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { temporaryFolder } from "#test/support/folder.ts"
import { type Place, places, servers } from "#test/durability/places.ts"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"
import { markers } from "./markers.ts"

/** An empty database on the server, of a user whose password is the marker. */
const ofMarkedUser = (serverUrl: string) =>
  Effect.gen(function* () {
    const user = `canary_${crypto.randomUUID().replaceAll("-", "")}`
    const admin = yield* PgClient.make({ url: Redacted.make(serverUrl), maxConnections: 1 })
    // Before the database, so that it is dropped after it.
    yield* Effect.acquireRelease(
      admin`CREATE ROLE ${admin(user)} LOGIN PASSWORD ${admin.literal(`'${markers.password}'`)}`,
      () => Effect.orDie(admin`DROP ROLE ${admin(user)}`),
    )
    const url = new URL(yield* temporaryDatabase(serverUrl))
    yield* admin`ALTER DATABASE ${admin(url.pathname.slice(1))} OWNER TO ${admin(user)}`
    url.username = user
    url.password = encodeURIComponent(markers.password)
    return { DATA_DIR: yield* temporaryFolder, DATABASE_URL: url.href }
  }).pipe(Effect.provide(Reactivity.layer), Effect.orDie)

/** A place, and whether both kinds of keys are to stand in every place of every request to a service there. */
interface MarkedPlace extends Place {
  readonly isWhole: boolean
}

/**
 * The embedded database, and the Postgres of `TEST_DATABASE_URL` where that is set. Where a key is taken from a
 * request does not depend on the database: with two of them, only the faster one sees both.
 */
export const markedPlaces: ReadonlyArray<MarkedPlace> = [
  ...places.filter(({ name }) => name !== "Postgres").map((place) => ({
    ...place,
    isWhole: servers.length === 0,
  })),
  ...servers.map((url) => ({ name: "Postgres", environment: ofMarkedUser(url), isWhole: true })),
]
