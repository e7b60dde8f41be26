import { Effect, Schema } from "effect"
import { type AccountId, AccountName } from "#domain/accounts/Account.ts"
import type { KeyId } from "#domain/accounts/Key.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { absentWhenNull, toTimestamp } from "../database/columns.ts"
import { repository, rows } from "../database/repository.ts"

/** The holder of a session or a link: the key that it ends with, and the account that alone it shows. */
const HolderRow = Schema.Struct({
  /** The hash of the key, whether the key still works or not. */
  keyHash: absentWhenNull(Schema.Uint8Array),
  account: absentWhenNull(AccountName),
})
export type Holder = typeof HolderRow.Type
const holders = rows(HolderRow)

/** A session of the dashboard. Without an account it is that of the operator whose key this is. */
export interface NewSession {
  /** The SHA-256 of its token. */
  readonly tokenHash: Uint8Array
  readonly expiresAt: EpochMillis
  readonly keyId?: KeyId
  readonly account?: AccountName
}

/** A link that begins a session of an account. */
export interface NewLink {
  /** The SHA-256 of its token. */
  readonly tokenHash: Uint8Array
  readonly expiresAt: EpochMillis
  readonly account: AccountId
  /** The key that asked for it; absent: the command line did. */
  readonly keyId?: KeyId
}

/** Sessions of the dashboard, and portal links, which begin one. Those that are over are removed when another one is added. */
export class SessionsRepo extends repository<SessionsRepo>()("Sessions", ({ op, sql }) => ({
  add: op("add", function* ({ account, expiresAt, keyId, tokenHash }: NewSession, now: EpochMillis) {
    yield* sql`DELETE FROM dashboard_sessions WHERE expires_at <= ${toTimestamp(now)}`
    yield* sql`
      INSERT INTO dashboard_sessions (token_hash, expires_at, key_id, account_id)
      VALUES (${tokenHash}, ${toTimestamp(expiresAt)},
        (SELECT id FROM api_keys WHERE public_id = ${keyId ?? null}::text),
        (SELECT id FROM accounts WHERE name = ${account ?? null}::text))`
  }),

  /** Who holds the session with a token of this hash; nobody where it is over. */
  find: op("find", (tokenHash: Uint8Array, now: EpochMillis) =>
    holders.first(sql`
      SELECT secret_hash AS "keyHash", name AS account
      FROM dashboard_sessions
        LEFT JOIN api_keys ON api_keys.id = key_id
        LEFT JOIN accounts ON accounts.id = dashboard_sessions.account_id
      WHERE token_hash = ${tokenHash} AND dashboard_sessions.expires_at > ${toTimestamp(now)}`)),

  end: op("end", (tokenHash: Uint8Array) =>
    Effect.asVoid(sql`
      DELETE FROM dashboard_sessions WHERE token_hash = ${tokenHash}`)),

  addLink: op("addLink", function* (link: NewLink, now: EpochMillis) {
    yield* sql`DELETE FROM portal_links WHERE expires_at <= ${toTimestamp(now)}`
    yield* sql`
      INSERT INTO portal_links (token_hash, expires_at, key_id, account_id)
      VALUES (${link.tokenHash}, ${toTimestamp(link.expiresAt)},
        (SELECT id FROM api_keys WHERE public_id = ${link.keyId ?? null}::text), ${link.account})`
  }),

  /** Makes a session of a link, once: of requests at the same time one gets it. */
  useLink: op("useLink", (
    linkHash: Uint8Array,
    { expiresAt, tokenHash }: Pick<NewSession, "expiresAt" | "tokenHash">,
    now: EpochMillis,
  ) =>
    holders.first(sql`
      WITH used AS (DELETE FROM portal_links WHERE token_hash = ${linkHash} RETURNING *),
        begun AS (
          INSERT INTO dashboard_sessions (token_hash, expires_at, key_id, account_id)
          SELECT ${tokenHash}::bytea, ${toTimestamp(expiresAt)}::timestamptz, key_id, account_id
          FROM used WHERE expires_at > ${toTimestamp(now)}
          RETURNING key_id, account_id
        )
      SELECT secret_hash AS "keyHash", name AS account
      FROM begun LEFT JOIN api_keys ON api_keys.id = key_id
        JOIN accounts ON accounts.id = begun.account_id`)),
})) {}
