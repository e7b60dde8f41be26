import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type AccountId, AccountName } from "../../domain/Account.ts"
import { ApiKeyRecord, type KeyId, type KeyTerms } from "../../domain/Key.ts"
import type { PageQuery } from "../../domain/Page.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** A key to be issued. */
export interface NewKey {
  readonly id: KeyId
  readonly accountId: AccountId
  /** The SHA-256 of the key. */
  readonly secretHash: Uint8Array
  readonly terms: KeyTerms
  readonly createdAt: EpochMillis
}

/** A key with the account that owns it. */
export interface OwnedKey {
  readonly account: AccountName
  readonly key: ApiKeyRecord
}

const { id, scopes, label } = ApiKeyRecord.fields

const KeyRow = Schema.Struct({
  account: AccountName,
  id,
  label: absentWhenNull(label.schema),
  scopes,
  createdAt: Timestamp,
  madeBy: absentWhenNull(id),
  expiresAt: absentWhenNull(Timestamp),
  revokedAt: absentWhenNull(Timestamp),
  lastUsedAt: absentWhenNull(Timestamp),
})
const decodeKeys = Schema.decodeUnknownEffect(Schema.Array(KeyRow))

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id })))

const toOwned = ({ account, ...key }: typeof KeyRow.Type): OwnedKey => ({ account, key })

export class KeysRepo extends Context.Service<KeysRepo, {
  /** Every key that the account ever had, the latest first. */
  readonly ofAccount: (account: AccountId) => Effect.Effect<ReadonlyArray<ApiKeyRecord>, StoreUnavailable>
  /** A page of the account's keys, the latest first; empty where the offset is no key of the account. */
  readonly page: (
    account: AccountId,
    query: PageQuery<KeyId>,
  ) => Effect.Effect<ReadonlyArray<ApiKeyRecord>, StoreUnavailable>
  /** The keys that were issued with a key, whose account is given, too: revoked ones are among them. */
  readonly madeBy: (maker: OwnedKey) => Effect.Effect<ReadonlyArray<OwnedKey>, StoreUnavailable>
  readonly find: (id: KeyId) => Effect.Effect<Option.Option<OwnedKey>, StoreUnavailable>
  readonly add: (key: NewKey) => Effect.Effect<void, StoreUnavailable>
  readonly revoke: (id: KeyId, at: EpochMillis) => Effect.Effect<void, StoreUnavailable>
  /** The keys that can operate the service at this time: valid, with the scope, of an account that is not suspended. */
  readonly operating: (at: EpochMillis) => Effect.Effect<ReadonlyArray<OwnedKey>, StoreUnavailable>
  /** Those of the keys with which no agent may call at this time: revoked, over, or of an account without MCP. */
  readonly withoutMcp: (
    ids: ReadonlyArray<KeyId>,
    at: EpochMillis,
  ) => Effect.Effect<ReadonlyArray<KeyId>, StoreUnavailable>
}>()("swap-broker/store/KeysRepo") {
  static readonly layer = Layer.effect(
    KeysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const columns = sql.literal(
        'accounts.name AS account, public_id AS id, label, scopes, api_keys.created_at AS "createdAt", ' +
          'expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", (' +
          "SELECT actor ->> 'keyId' FROM audit_marks JOIN audit_log ON audit_log.id = entry_id " +
          "WHERE mark = audit_mark('key.issued', accounts.name, NULL) COLLATE \"C\" " +
          "AND change ->> 'keyId' = public_id LIMIT 1) AS \"madeBy\"",
      )
      const tables = sql.literal("api_keys JOIN accounts ON accounts.id = account_id")

      const ofAccount = Effect.fnUntraced(function* (account: AccountId) {
        const rows = yield* sql`
          SELECT ${columns} FROM ${tables} WHERE account_id = ${account} ORDER BY api_keys.id DESC`
        return (yield* decodeKeys(rows)).map((row) => toOwned(row).key)
      }, storeOperation("Keys.ofAccount"))

      const page = Effect.fnUntraced(function* (account: AccountId, { limit, offset }: PageQuery<KeyId>) {
        const from = offset === undefined ? sql.literal("") : sql`AND api_keys.id <= (
              SELECT id FROM api_keys WHERE public_id = ${offset} AND account_id = ${account}
            )`
        const rows = yield* sql`
          SELECT ${columns} FROM ${tables} WHERE account_id = ${account} ${from}
          ORDER BY api_keys.id DESC LIMIT ${limit}`
        return (yield* decodeKeys(rows)).map((row) => toOwned(row).key)
      }, storeOperation("Keys.page"))

      const madeBy = Effect.fnUntraced(function* ({ account, key }: OwnedKey) {
        const rows = yield* sql`
          SELECT ${columns} FROM ${tables} WHERE public_id IN (
            SELECT change ->> 'keyId' FROM audit_marks JOIN audit_log ON audit_log.id = entry_id
            WHERE mark = audit_mark('key.issued', NULL, ${account}::text) COLLATE "C"
              AND actor ->> 'keyId' = ${key.id}
          )`
        return (yield* decodeKeys(rows)).map(toOwned)
      }, storeOperation("Keys.madeBy"))

      const find = Effect.fnUntraced(function* (id: KeyId) {
        const rows = yield* sql`SELECT ${columns} FROM ${tables} WHERE public_id = ${id}`
        return Option.map(Array.head(yield* decodeKeys(rows)), toOwned)
      }, storeOperation("Keys.find"))

      const add = Effect.fnUntraced(function* ({ terms, ...key }: NewKey) {
        const expiresAt = terms.expiresAt === undefined ? null : toTimestamp(terms.expiresAt)
        yield* sql`
          INSERT INTO api_keys (account_id, public_id, secret_hash, scopes, label, expires_at, created_at)
          VALUES (${key.accountId}, ${key.id}, ${key.secretHash}, ${terms.scopes}::text[],
            ${terms.label ?? null}::text, ${expiresAt}::timestamptz, ${toTimestamp(key.createdAt)})`
      }, storeOperation("Keys.add"))

      const revoke = Effect.fnUntraced(function* (id: KeyId, at: EpochMillis) {
        yield* sql`
          UPDATE api_keys SET revoked_at = ${toTimestamp(at)} WHERE public_id = ${id} AND revoked_at IS NULL`
      }, storeOperation("Keys.revoke"))

      const operating = Effect.fnUntraced(function* (at: EpochMillis) {
        const rows = yield* sql`
          SELECT ${columns} FROM ${tables}
          WHERE 'operate' = ANY (scopes) AND NOT suspended AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > ${toTimestamp(at)})`
        return (yield* decodeKeys(rows)).map(toOwned)
      }, storeOperation("Keys.operating"))

      const withoutMcp = Effect.fnUntraced(function* (ids: ReadonlyArray<KeyId>, at: EpochMillis) {
        const rows = yield* sql`
          SELECT public_id AS id FROM ${tables}
          WHERE public_id = ANY (${ids}::text[])
            AND (NOT mcp OR revoked_at IS NOT NULL OR expires_at <= ${toTimestamp(at)})`
        return (yield* decodeIds(rows)).map(({ id }) => id)
      }, storeOperation("Keys.withoutMcp"))

      return KeysRepo.of({ ofAccount, page, madeBy, find, add, revoke, operating, withoutMcp })
    }),
  )
}
