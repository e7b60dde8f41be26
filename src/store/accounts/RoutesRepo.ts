import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountId } from "../../domain/Account.ts"
import { type RoutePair, RouteRule } from "../../domain/Route.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { storeOperation } from "../database/storeOperation.ts"

const decodeRules = Schema.decodeUnknownEffect(Schema.Array(RouteRule))

/** The route rules of the accounts. */
export class RoutesRepo extends Context.Service<RoutesRepo, {
  /** The rules of an account, the most specific first. */
  readonly ofAccount: (account: AccountId) => Effect.Effect<ReadonlyArray<RouteRule>, StoreUnavailable>
  /** Sets a rule, in place of an earlier rule for the same pair. */
  readonly set: (account: AccountId, rule: RouteRule) => Effect.Effect<void, StoreUnavailable>
  readonly remove: (account: AccountId, pair: RoutePair) => Effect.Effect<void, StoreUnavailable>
}>()("swap-broker/store/RoutesRepo") {
  static readonly layer = Layer.effect(
    RoutesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const ofAccount = Effect.fnUntraced(function* (account: AccountId) {
        const rows = yield* sql`
          SELECT source_asset AS "sourceAsset", destination_asset AS "destinationAsset", allowed
          FROM account_routes
          WHERE account_id = ${account}
          ORDER BY (source_asset = '*')::int + (destination_asset = '*')::int, source_asset, destination_asset`
        return yield* decodeRules(rows)
      }, storeOperation("Routes.ofAccount"))

      const set = Effect.fnUntraced(function* (account: AccountId, rule: RouteRule) {
        yield* sql`
          INSERT INTO account_routes (account_id, source_asset, destination_asset, allowed)
          VALUES (${account}, ${rule.sourceAsset}, ${rule.destinationAsset}, ${rule.allowed})
          ON CONFLICT (account_id, source_asset, destination_asset) DO UPDATE SET allowed = EXCLUDED.allowed`
      }, storeOperation("Routes.set"))

      const remove = Effect.fnUntraced(function* (account: AccountId, pair: RoutePair) {
        yield* sql`
          DELETE FROM account_routes
          WHERE account_id = ${account} AND source_asset = ${pair.sourceAsset}
            AND destination_asset = ${pair.destinationAsset}`
      }, storeOperation("Routes.remove"))

      return RoutesRepo.of({ ofAccount, set, remove })
    }),
  )
}
