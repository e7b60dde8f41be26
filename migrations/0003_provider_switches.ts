import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the operator switched off and on at run time, with who and why: a row for each change, none is ever
 * altered. The latest row of a platform, operation and asset is in force. And what each key may do.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE provider_switches (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      platform text NOT NULL,
      operation text CHECK (operation IN ('quote', 'open', 'status')),
      asset text,
      enabled boolean NOT NULL,
      reason text NOT NULL,
      changed_by text NOT NULL,
      changed_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX provider_switches_latest ON provider_switches (platform, operation, asset, id DESC)`
  yield* sql`
    ALTER TABLE api_keys
    ADD COLUMN scopes text[] NOT NULL DEFAULT '{quote,swap,status,history,operate}'`
})
