import { Effect, Schema } from "effect"
import type { Account, Caller } from "#domain/accounts/Account.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { routeAllowed } from "#domain/accounts/Route.ts"

/**
 * The commission that a request is priced with: the account's default, or the requested one where that is higher. A
 * lower request is raised, not refused (decision 7).
 */
export const effectiveCommission = (account: Account, requested: number | undefined): Bps =>
  Bps.make(Math.max(account.commissionBps, requested ?? account.commissionBps))

/** The account may not swap one asset to the other (decision 34). Quotes report it with a code. */
export class RouteDenied extends Schema.TaggedError<RouteDenied>()("RouteDenied", {
  operation: Schema.Literals(["quote", "open"]),
  sourceAsset: AssetId,
  destinationAsset: AssetId,
}) {
  override get message(): string {
    return `Swaps of ${this.sourceAsset} to ${this.destinationAsset} are not enabled for this account`
  }
}

/** Fails where the caller's account may not swap a pair, whether for a quote or for an opening. */
export const requireRoute = (
  { routes }: Caller,
  operation: RouteDenied["operation"],
  { sourceAsset, destinationAsset }: { readonly sourceAsset: AssetId; readonly destinationAsset: AssetId },
): Effect.Effect<void, RouteDenied> =>
  routeAllowed(routes, sourceAsset, destinationAsset)
    ? Effect.void
    : Effect.fail(new RouteDenied({ operation, sourceAsset, destinationAsset }))
