import { Effect, Schema } from "effect"
import type { Caller } from "#domain/accounts/Account.ts"
import { ApiKeyRecord, type KeyId } from "#domain/accounts/Key.ts"
import { RouteRule, routeTable } from "#domain/accounts/Route.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { accountColumns, accountOf, accountRow } from "./AccountsRepo.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { repository, rowsAs } from "../database/repository.ts"

/** The caller that a key belongs to, with the hash that was found. */
export interface KeyMatch {
  readonly caller: Caller
  readonly keyHash: Uint8Array
  readonly expiresAt?: EpochMillis
}

const { id, scopes } = ApiKeyRecord.fields

const matches = rowsAs(
  Schema.Struct({
    ...accountRow,
    keyId: id,
    keyHash: Schema.Uint8Array,
    scopes,
    expiresAt: absentWhenNull(Timestamp),
    routes: Schema.Array(RouteRule),
  }),
  ({ expiresAt, keyHash, routes, ...caller }): KeyMatch => ({
    caller: { ...accountOf(caller), routes: routeTable(routes) },
    keyHash,
    ...defined({ expiresAt }),
  }),
)

export class CallersRepo extends repository<CallersRepo>()("Callers", ({ op, sql }) => ({
  /** The caller with the key of this hash; none if the key is revoked. The key's end is not checked. */
  byKeyHash: op("byKeyHash", (keyHash: Uint8Array) =>
    matches.first(sql`
      SELECT ${sql.literal(accountColumns)}, public_id AS "keyId", secret_hash AS "keyHash", scopes,
        expires_at AS "expiresAt",
        (
          SELECT coalesce(jsonb_agg(jsonb_build_object('sourceAsset', source_asset,
            'destinationAsset', destination_asset, 'allowed', allowed)), '[]')
          FROM account_routes WHERE account_id = accounts.id
        ) AS routes
      FROM api_keys JOIN accounts ON accounts.id = account_id
      WHERE secret_hash = ${keyHash} AND revoked_at IS NULL`)),

  /** Records when keys were last used, for each key at most once a minute. */
  used: op("used", (at: ReadonlyMap<KeyId, EpochMillis>) =>
    Effect.asVoid(sql`
      UPDATE api_keys SET last_used_at = used.at
      FROM unnest(${[...at.keys()]}::text[], ${[...at.values()].map(toTimestamp)}::timestamptz[])
        AS used (id, at)
      WHERE public_id = used.id
        AND (last_used_at IS NULL OR last_used_at <= used.at - interval '1 minute')`)),
})) {}
