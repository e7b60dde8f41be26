import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { hashKey } from "#application/accounts/ApiKey.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { broker, serverUrl, testKey } from "#test/support/broker.ts"
import { preparedFolderInMemory } from "#test/support/prepared/database.ts"
import { preparedDatabase } from "#test/support/prepared/template.ts"

/** The key of the second account. */
export const otherKey = "test-key-of-the-second-account-9876543210"

/** Makes the accounts in the database of a folder, as there is no endpoint for it. */
const makeAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const { name, key } of [{ name: "default", key: testKey }, { name: "second", key: otherKey }]) {
    yield* sql`
      WITH account AS (
        INSERT INTO accounts (name, commission_bps, created_at) VALUES (${name}, 0, now()) RETURNING id
      )
      INSERT INTO api_keys (account_id, secret_hash, created_at)
      SELECT id, ${hashKey(Redacted.make(key))}, now() FROM account`
  }
})

/** An empty database for a broker: in a folder, or on the server that brokers are tested with. */
const place = serverUrl === undefined
  ? Effect.map(preparedFolderInMemory, (folder) => ({
    location: DatabaseLocation.Folder({ folder }),
    environment: { DATA_DIR: folder },
  }))
  : Effect.map(preparedDatabase(serverUrl), (url) => ({
    location: DatabaseLocation.Server({ url: Redacted.make(url), maximumConnections: 2 }),
    environment: { DATABASE_URL: url },
  }))

/** A broker that has two accounts from the start. */
export const brokerOfTwo = (environment: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(Effect.gen(function* () {
    const { location, environment: database } = yield* place
    yield* Effect.provide(makeAccounts, sqlLayer(location))
    return broker({ ...database, ...environment })
  }))
