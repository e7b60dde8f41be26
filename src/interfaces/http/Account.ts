import { Effect, Option } from "effect"
import { Keys } from "#application/accounts/Keys.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { failAsProblem, handlersOf } from "../requests/failedRequests.ts"

export const AccountHandlers = handlersOf("account")(Effect.fnUntraced(function* (handlers) {
  const keys = yield* Keys
  return handlers.handle("own", () =>
    Effect.gen(function* () {
      const { affiliates, allowedOrigins, commissionBps, keyId, mcp, name, scopes } = yield* CurrentAccount
      const { expiresAt, label } = { ...Option.getOrUndefined(yield* keys.find(keyId))?.key }
      return {
        name,
        commissionBps,
        affiliates,
        allowedOrigins,
        mcp,
        key: { id: keyId, scopes, ...defined({ label, expiresAt }) },
      }
    }).pipe(failAsProblem))
}))
