import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "../../domain/Account.ts"
import { ApiKeyRecord, type KeyId } from "../../domain/Key.ts"
import { RouteRule, routeTable } from "../../domain/Route.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { accountColumns, accountRow } from "./AccountsRepo.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** The caller that a key belongs to, with the hash that was found. */
export interface KeyMatch {
  readonly caller: Caller
  readonly keyHash: Uint8Array
  readonly expiresAt?: EpochMillis
}

const { id, scopes } = ApiKeyRecord.fields

const MatchRow = Schema.Struct({
  ...accountRow,
  keyId: id,
  keyHash: Schema.Uint8Array,
  scopes,
  expiresAt: absentWhenNull(Timestamp),
  routes: Schema.Array(RouteRule),
})
const decodeMatches = Schema.decodeUnknownEffect(Schema.Array(MatchRow))

const toMatch = ({ expiresAt, keyHash, routes, ...caller }: typeof MatchRow.Type): KeyMatch => ({
  caller: { ...caller, routes: routeTable(routes) },
  keyHash,
  ...(expiresAt === undefined ? {} : { expiresAt }),
})

/** Finds callers by the key of a request. */
export class CallersRepo extends Context.Service<CallersRepo, {
  /** The caller with the key of this hash; none if the key is revoked. The key's end is not checked. */
  readonly byKeyHash: (keyHash: Uint8Array) => Effect.Effect<Option.Option<KeyMatch>, StoreUnavailable>
  /** Records when keys were last used, for each key at most once a minute. */
  readonly used: (at: ReadonlyMap<KeyId, EpochMillis>) => Effect.Effect<void, StoreUnavailable>
}>()("swap-broker/store/CallersRepo") {
  static readonly layer = Layer.effect(
    CallersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const byKeyHash = Effect.fnUntraced(function* (keyHash: Uint8Array) {
        const rows = yield* sql`
          SELECT ${sql.literal(accountColumns)}, public_id AS "keyId", secret_hash AS "keyHash", scopes,
            expires_at AS "expiresAt",
            (
              SELECT coalesce(jsonb_agg(jsonb_build_object('sourceAsset', source_asset,
                'destinationAsset', destination_asset, 'allowed', allowed)), '[]')
              FROM account_routes WHERE account_id = accounts.id
            ) AS routes
          FROM api_keys JOIN accounts ON accounts.id = account_id
          WHERE secret_hash = ${keyHash} AND revoked_at IS NULL`
        return Option.map(Array.head(yield* decodeMatches(rows)), toMatch)
      }, storeOperation("Accounts.authenticate"))

      const used = Effect.fnUntraced(function* (at: ReadonlyMap<KeyId, EpochMillis>) {
        yield* sql`
          UPDATE api_keys SET last_used_at = used.at
          FROM unnest(${[...at.keys()]}::text[], ${[...at.values()].map(toTimestamp)}::timestamptz[])
            AS used (id, at)
          WHERE public_id = used.id
            AND (last_used_at IS NULL OR last_used_at <= used.at - interval '1 minute')`
      }, storeOperation("Callers.used"))

      return CallersRepo.of({ byKeyHash, used })
    }),
  )
}
