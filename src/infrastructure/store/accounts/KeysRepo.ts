import { Effect, Schema } from "effect"
import { type AccountId, AccountName } from "#domain/accounts/Account.ts"
import { ApiKeyRecord, type KeyId, type KeyTerms } from "#domain/accounts/Key.ts"
import type { PageQuery } from "#domain/Page.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { absentWhenNull, Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { given, repository, rows, rowsAs } from "../database/repository.ts"

export interface NewKey {
  readonly id: KeyId
  readonly accountId: AccountId
  /** The SHA-256 of the key. */
  readonly secretHash: Uint8Array
  readonly terms: KeyTerms
  readonly createdAt: EpochMillis
}

export interface OwnedKey {
  readonly account: AccountName
  readonly key: ApiKeyRecord
}

const { id, scopes, label } = ApiKeyRecord.fields

const KeyRow = Schema.Struct({
  id,
  label: absentWhenNull(label.schema),
  scopes,
  createdAt: Timestamp,
  madeBy: absentWhenNull(id),
  expiresAt: absentWhenNull(Timestamp),
  revokedAt: absentWhenNull(Timestamp),
  lastUsedAt: absentWhenNull(Timestamp),
})
const keys = rows(KeyRow)
const ownedKeys = rowsAs(
  Schema.Struct({ account: AccountName, ...KeyRow.fields }),
  ({ account, ...key }): OwnedKey => ({ account, key }),
)
const uses = rows(
  Schema.Struct({ account: AccountName, keys: WholeNumber, lastUsedAt: absentWhenNull(Timestamp) }),
)
const ids = rowsAs(Schema.Struct({ id }), ({ id }) => id)

export class KeysRepo extends repository<KeysRepo>()("Keys", ({ op, sql }) => {
  const columns = sql.literal(
    'accounts.name AS account, public_id AS id, label, scopes, api_keys.created_at AS "createdAt", ' +
      'expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", (' +
      "SELECT actor ->> 'keyId' FROM audit_marks JOIN audit_log ON audit_log.id = entry_id " +
      "WHERE mark = audit_mark('key.issued', accounts.name, NULL) COLLATE \"C\" " +
      "AND change ->> 'keyId' = public_id LIMIT 1) AS \"madeBy\"",
  )
  const tables = sql.literal("api_keys JOIN accounts ON accounts.id = account_id")

  return {
    /** Every key that the account ever had, the latest first. */
    ofAccount: op("ofAccount", (account: AccountId) =>
      keys.all(sql`
        SELECT ${columns} FROM ${tables} WHERE account_id = ${account} ORDER BY api_keys.id DESC`)),

    /** A page of the account's keys, the latest first; empty where the offset is no key of the account. */
    page: op("page", (account: AccountId, { limit, offset }: PageQuery<KeyId>) => {
      const from = given(offset, (offset) =>
        sql`AND api_keys.id <= (
          SELECT id FROM api_keys WHERE public_id = ${offset} AND account_id = ${account}
        )`)
      return keys.all(sql`
        SELECT ${columns} FROM ${tables} WHERE account_id = ${account} ${from}
        ORDER BY api_keys.id DESC LIMIT ${limit}`)
    }),

    /** The keys that were issued with a key, whose account is given, too: revoked ones are among them. */
    madeBy: op("madeBy", ({ account, key }: OwnedKey) =>
      ownedKeys.all(sql`
        SELECT ${columns} FROM ${tables} WHERE public_id IN (
          SELECT change ->> 'keyId' FROM audit_marks JOIN audit_log ON audit_log.id = entry_id
          WHERE mark = audit_mark('key.issued', NULL, ${account}::text) COLLATE "C"
            AND actor ->> 'keyId' = ${key.id}
        )`)),

    /** How many keys of each account work at this time, and when any of the account's was used last. */
    uses: op("uses", (at: EpochMillis) =>
      uses.all(sql`
        SELECT accounts.name AS account, max(last_used_at) AS "lastUsedAt",
          count(*) FILTER (WHERE revoked_at IS NULL AND coalesce(expires_at > ${
        toTimestamp(at)
      }, true)) AS keys
        FROM ${tables} GROUP BY accounts.name`)),

    find: op(
      "find",
      (id: KeyId) => ownedKeys.first(sql`SELECT ${columns} FROM ${tables} WHERE public_id = ${id}`),
    ),

    add: op("add", ({ terms, ...key }: NewKey) => {
      const expiresAt = terms.expiresAt === undefined ? null : toTimestamp(terms.expiresAt)
      return Effect.asVoid(sql`
        INSERT INTO api_keys (account_id, public_id, secret_hash, scopes, label, expires_at, created_at)
        VALUES (${key.accountId}, ${key.id}, ${key.secretHash}, ${terms.scopes}::text[],
          ${terms.label ?? null}::text, ${expiresAt}::timestamptz, ${toTimestamp(key.createdAt)})`)
    }),

    revoke: op("revoke", (id: KeyId, at: EpochMillis) =>
      Effect.asVoid(sql`
        UPDATE api_keys SET revoked_at = ${toTimestamp(at)} WHERE public_id = ${id} AND revoked_at IS NULL`)),

    /** The keys that can operate the service at this time: valid, with the scope, of an account that is not suspended. */
    operating: op("operating", (at: EpochMillis) =>
      ownedKeys.all(sql`
        SELECT ${columns} FROM ${tables}
        WHERE 'operate' = ANY (scopes) AND NOT suspended AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > ${toTimestamp(at)})`)),

    /** Those of the keys with which no agent may call at this time: revoked, over, or of an account without MCP. */
    withoutMcp: op("withoutMcp", (some: ReadonlyArray<KeyId>, at: EpochMillis) =>
      ids.all(sql`
        SELECT public_id AS id FROM ${tables}
        WHERE public_id = ANY (${some}::text[])
          AND (NOT mcp OR revoked_at IS NOT NULL OR expires_at <= ${toTimestamp(at)})`)),
  }
}) {}
