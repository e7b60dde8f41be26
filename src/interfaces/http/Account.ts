import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Keys } from "#application/accounts/Keys.ts"
import { Api } from "#api/Api.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { failAsProblem } from "../requests/failedRequests.ts"

export const AccountHandlers = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fnUntraced(function* (handlers) {
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
  }),
)
