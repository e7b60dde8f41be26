import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { accountDefaults } from "#application/accounts/accountTerms.ts"
import { AccountName } from "#domain/accounts/Account.ts"
import { Bps } from "#domain/money/Bps.ts"
import { EpochMillis } from "#domain/Time.ts"
import { AccountsRepo } from "#infrastructure/store/accounts/AccountsRepo.ts"
import { startInMemory } from "#infrastructure/store/database/EmbeddedDatabase.ts"
import { migrate } from "#infrastructure/store/database/migrate.ts"
import { embeddedClient } from "#infrastructure/store/database/Sql.ts"
import { writeRecord } from "#test/support/writeRecord.ts"
import { type Repositories, repositories } from "#infrastructure/store/Store.ts"
import { preparedDatabases } from "./prepared/database.ts"
import { preparedDatabase } from "./prepared/template.ts"
import { callerWith } from "./account.ts"
import { layer, type Tests } from "./it.ts"

type Services = Repositories | SqlClient.SqlClient

/** A kind of database that the suites run on. */
export interface TestStore {
  readonly name: string
  /** An empty database of its own, with all tables, that is gone afterwards. */
  readonly database: Layer.Layer<SqlClient.SqlClient>
  readonly layer: Layer.Layer<Services>
}

const migrated = (client: PgClient.PgClient) => Effect.provideService(migrate, SqlClient.SqlClient, client)

const embedded: Layer.Layer<SqlClient.SqlClient> = PgClient.layerFrom(
  Effect.gen(function* () {
    const database = yield* Effect.provide(startInMemory, preparedDatabases)
    return yield* Effect.tap(embeddedClient(database), migrated)
  }),
).pipe(Layer.orDie)

/** Connections are kept however far a test moves its clock: to open another at each step took ten times as long. */
const server = (serverUrl: string): Layer.Layer<SqlClient.SqlClient> =>
  PgClient.layerFrom(
    Effect.gen(function* () {
      const url = Redacted.make(yield* preparedDatabase(serverUrl))
      return yield* Effect.tap(
        PgClient.make({ url, maxConnections: 10, idleTimeout: Duration.infinity }),
        migrated,
      )
    }),
  ).pipe(Layer.orDie)

const testStore = (name: string, database: Layer.Layer<SqlClient.SqlClient>): TestStore => ({
  name,
  database,
  layer: repositories(writeRecord).pipe(Layer.provideMerge(database)),
})

const serverUrl = Deno.env.get("TEST_DATABASE_URL")

/** For what does not depend on the kind of database. */
export const embeddedStore = testStore("the embedded database", embedded)

/**
 * The Postgres of `TEST_DATABASE_URL` where that is set: for what several connections do at once, as the embedded
 * database has only one.
 */
export const servers: ReadonlyArray<TestStore> = serverUrl === undefined
  ? []
  : [testStore("Postgres", server(serverUrl))]

/** The embedded database, and the Postgres of `TEST_DATABASE_URL` where that is set. */
export const stores: ReadonlyArray<TestStore> = [embeddedStore, ...servers]

/**
 * The same tests on every database, over a layer that needs no more than its repositories: as `layer`, with the name of
 * the database behind that of the suite.
 */
export const onStores =
  <R, E>(over: Layer.Layer<R, E, Services>) =>
  (name: string, tests: (it: Tests<R | Services>, store: TestStore) => void): void => {
    for (const store of stores) {
      layer(Layer.provideMerge(over, store.layer))(`${name} on ${store.name}`, (it) => tests(it, store))
    }
  }

let accountCount = 0

/** The caller of an account that no other test uses. */
export const newAccount = Effect.gen(function* () {
  const accounts = yield* AccountsRepo
  return callerWith(
    yield* accounts.add({
      name: AccountName.make(`account-${++accountCount}`),
      terms: { ...accountDefaults, commissionBps: Bps.make(10) },
      createdAt: EpochMillis.make(0),
    }),
  )
}).pipe(Effect.orDie)
