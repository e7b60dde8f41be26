import { Effect, Schema } from "effect"
import type { Caller } from "../domain/Account.ts"
import { AssetId } from "../domain/Asset.ts"
import { routeAllowed } from "../domain/Route.ts"

/** The account may not swap the one asset to the other (decision 34). Quotes say so with a code. */
export class RouteDenied extends Schema.TaggedError<RouteDenied>()("RouteDenied", {
  operation: Schema.Literals(["quote", "open"]),
  sourceAsset: AssetId,
  destinationAsset: AssetId,
}) {
  override get message(): string {
    return `Swaps of ${this.sourceAsset} to ${this.destinationAsset} are not enabled for this account`
  }
}

/** Fails where the account of the caller may not swap a pair, be it for a quote or to open something. */
export const requireRoute = (
  { routes }: Caller,
  operation: RouteDenied["operation"],
  { sourceAsset, destinationAsset }: { readonly sourceAsset: AssetId; readonly destinationAsset: AssetId },
): Effect.Effect<void, RouteDenied> =>
  routeAllowed(routes, sourceAsset, destinationAsset)
    ? Effect.void
    : Effect.fail(new RouteDenied({ operation, sourceAsset, destinationAsset }))
