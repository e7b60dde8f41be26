import { Effect } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import { type RoutePair, RouteRule } from "#domain/accounts/Route.ts"
import { repository, rows } from "../database/repository.ts"

const rules = rows(RouteRule)

export class RoutesRepo extends repository<RoutesRepo>()("Routes", ({ op, sql }) => ({
  /** The rules of an account, the most specific first. */
  ofAccount: op("ofAccount", (account: AccountId) =>
    rules.all(sql`
      SELECT source_asset AS "sourceAsset", destination_asset AS "destinationAsset", allowed
      FROM account_routes
      WHERE account_id = ${account}
      ORDER BY (source_asset = '*')::int + (destination_asset = '*')::int, source_asset, destination_asset`)),

  /** Sets a rule, in place of an earlier rule for the same pair. */
  set: op("set", (account: AccountId, rule: RouteRule) =>
    Effect.asVoid(sql`
      INSERT INTO account_routes (account_id, source_asset, destination_asset, allowed)
      VALUES (${account}, ${rule.sourceAsset}, ${rule.destinationAsset}, ${rule.allowed})
      ON CONFLICT (account_id, source_asset, destination_asset) DO UPDATE SET allowed = EXCLUDED.allowed`)),

  remove: op("remove", (account: AccountId, pair: RoutePair) =>
    Effect.asVoid(sql`
      DELETE FROM account_routes
      WHERE account_id = ${account} AND source_asset = ${pair.sourceAsset}
        AND destination_asset = ${pair.destinationAsset}`)),
})) {}
