import { Context, Effect, Layer, Option } from "effect"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Accounts } from "../accounts/Accounts.ts"
import { Authorization, RequiredScope } from "../api/Authorization.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { InvalidRequest, wrong } from "../domain/Faults.ts"
import { Unauthenticated } from "./HttpFailure.ts"
import { permit } from "./permit.ts"
import { problemResponse } from "./problemResponse.ts"
import { Received } from "./Received.ts"

/** Who calls with a request's one credential, or why nobody does. */
const authenticate = Effect.fnUntraced(function* (accounts: Accounts["Service"]) {
  const { credentials: [key, ...others] } = yield* Received
  if (key === undefined) return yield* new Unauthenticated()
  if (others.length > 0) {
    return yield* new InvalidRequest({
      errors: wrong("apiKey", "is given several times with different values"),
    })
  }
  const caller = yield* accounts.authenticate(key)
  return Option.isSome(caller) ? caller.value : yield* new Unauthenticated()
})

/**
 * Lets a request through with its account, or answers for it. The three ways to send a key are one to us:
 * the server has collected them already.
 */
export const AuthorizationLayer: Layer.Layer<Authorization, never, Accounts> = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const accounts = yield* Accounts

    const authorized = Effect.fnUntraced(function* ({ annotations }: HttpApiGroup.Top) {
      const caller = yield* authenticate(accounts)
      const { headers: { origin } } = yield* HttpServerRequest.HttpServerRequest
      yield* permit(caller, { scope: Context.getOption(annotations, RequiredScope), origin })
      return caller
    })

    const authorize = <E, R>(
      answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | CurrentAccount>,
      { group }: { readonly group: HttpApiGroup.Top },
    ) =>
      Effect.matchEffect(authorized(group), {
        onFailure: problemResponse,
        onSuccess: (caller) => Effect.provideService(answer, CurrentAccount, caller),
      })
    return Authorization.of({ apiKeyQuery: authorize, apiKeyHeader: authorize, bearer: authorize })
  }),
)
