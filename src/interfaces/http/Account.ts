import { Effect, Option } from "effect"
import { ServiceTerms } from "#application/accounts/accountTerms.ts"
import { Keys } from "#application/accounts/Keys.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { failAsProblem, handlersOf } from "../requests/failedRequests.ts"

export const AccountHandlers = handlersOf("account")(Effect.fnUntraced(function* (handlers) {
  const keys = yield* Keys
  const service = yield* ServiceTerms
  return handlers.handle("own", () =>
    Effect.gen(function* () {
      const { createdAt: _created, id: _id, keyId, routes: _routes, scopes, suspended: _suspended, ...own } =
        yield* CurrentAccount
      const { expiresAt, label } = { ...Option.getOrUndefined(yield* keys.find(keyId))?.key }
      return { ...service.terms, ...own, key: { id: keyId, scopes, ...defined({ label, expiresAt }) } }
    }).pipe(failAsProblem))
}))
