import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What the operator grants each account. No list of origins stands for any. */
const terms = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE accounts
    ADD COLUMN affiliates boolean NOT NULL DEFAULT true,
    ADD COLUMN allowed_origins text[],
    ADD COLUMN suspended boolean NOT NULL DEFAULT false`
})

/** Sixteen characters of base32 that nobody guesses twice: the hexadecimal digits that it lacks are replaced. */
const randomKeyId = "translate(left(md5(gen_random_uuid()::text), 16), '0189', 'ghij')"

/** A name for each key that is no secret, what it is for, and its life. */
const keys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE api_keys
    ADD COLUMN public_id text NOT NULL UNIQUE DEFAULT ${sql.literal(randomKeyId)},
    ADD COLUMN label text,
    ADD COLUMN expires_at timestamptz,
    ADD COLUMN revoked_at timestamptz,
    ADD COLUMN last_used_at timestamptz`
  yield* sql`CREATE INDEX api_keys_account ON api_keys (account_id, id)`
})

/** Which pairs each account may swap; * stands for any asset. */
const routes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE account_routes (
      account_id bigint NOT NULL REFERENCES accounts (id),
      source_asset text NOT NULL,
      destination_asset text NOT NULL,
      allowed boolean NOT NULL,
      PRIMARY KEY (account_id, source_asset, destination_asset)
    )`
})

/** Every change of the operator's, with who made it. The database itself refuses to alter one. */
const audit = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE audit_log (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      changed_at timestamptz NOT NULL,
      actor jsonb NOT NULL,
      change jsonb NOT NULL
    )`
  yield* sql`
    CREATE FUNCTION refuse_to_alter_the_past() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'The audit log is append-only: % is refused', TG_OP;
    END
    $$`
  yield* sql`
    CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_alter_the_past()`
})

export default Effect.all([terms, keys, routes, audit], { discard: true })
