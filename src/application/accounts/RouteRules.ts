import { Effect, Schema } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { AccountName, Caller } from "#domain/accounts/Account.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { routeAllowed, type RoutePair, type RouteRule } from "#domain/accounts/Route.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AuditRepo, type Changed } from "#infrastructure/store/accounts/AuditRepo.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { RoutesRepo } from "#infrastructure/store/accounts/RoutesRepo.ts"
import { Accounts, CallerCache } from "./Accounts.ts"

/** The pairs that each account may swap. A pair without a rule is allowed (`routeAllowed`). */
export class RouteRules extends service<RouteRules>()(
  "swap-broker/accounts/RouteRules",
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const routes = yield* RoutesRepo
    const audit = yield* AuditRepo
    const callerCache = yield* CallerCache

    const ofAccount = Effect.fn("Routes.ofAccount")(function* (account: AccountName) {
      return yield* routes.ofAccount((yield* accounts.find(account)).id)
    })

    /** Replaces the rule of one pair by another, or by none. */
    const replace = Effect.fnUntraced(
      function* (
        operation: string,
        account: AccountName,
        pair: RoutePair,
        after: RouteRule | undefined,
        actor: Actor,
      ) {
        const author = { actor, at: yield* currentMillis }
        return yield* audit.recorded(operation, author, function* () {
          const { id } = yield* accounts.find(account)
          const rules = yield* routes.ofAccount(id)
          const before = rules.find((rule) => samePair(rule, pair))
          if (before?.allowed === after?.allowed) return { value: rules, changes: [] }
          yield* after === undefined ? routes.remove(id, pair) : routes.set(id, after)
          return { value: yield* routes.ofAccount(id), changes: changesOf(account, before, after) }
        }).pipe(Effect.ensuring(Effect.sync(callerCache.forget)))
      },
    )

    return {
      ofAccount,
      /** Sets a rule, in place of the one for the same pair. Returns all rules. */
      set: (account: AccountName, rule: RouteRule, by: Actor) =>
        replace("Routes.set", account, rule, rule, by),
      /** Removes the rule of exactly this pair, if there is one. Returns all rules. */
      remove: (account: AccountName, pair: RoutePair, by: Actor) =>
        replace("Routes.remove", account, pair, undefined, by),
    }
  }),
) {}

const samePair = (one: RoutePair, other: RoutePair): boolean =>
  one.sourceAsset === other.sourceAsset && one.destinationAsset === other.destinationAsset

const changesOf = (
  account: AccountName,
  before: RouteRule | undefined,
  after: RouteRule | undefined,
): Changed<unknown>["changes"] => {
  if (after !== undefined) return [{ action: "route.set", account, ...defined({ before }), after }]
  return before === undefined ? [] : [{ action: "route.removed", account, before }]
}

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
