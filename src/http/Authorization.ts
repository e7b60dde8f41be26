import { Context, Effect, Layer, Option } from "effect"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Accounts } from "../accounts/Accounts.ts"
import { Authorization, RequiredScope } from "../api/Authorization.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { InvalidRequest, wrong } from "../domain/Faults.ts"
import { Unauthenticated } from "./HttpFailure.ts"
import { problemResponse } from "./problemResponse.ts"
import { Received } from "./Received.ts"
import { refusalOf } from "./refusalOf.ts"

/** Who makes a request to an endpoint of a group, by its one credential, or why it is not let in. */
const callerFor = (accounts: Accounts["Service"]) =>
  Effect.fnUntraced(function* ({ annotations }: HttpApiGroup.Top) {
    const { credentials: [key, ...others] } = yield* Received
    if (key === undefined) return yield* new Unauthenticated()
    if (others.length > 0) {
      return yield* new InvalidRequest({
        errors: wrong("apiKey", "is given several times with different values"),
      })
    }
    const found = yield* accounts.authenticate(key)
    if (Option.isNone(found)) return yield* new Unauthenticated()
    const caller = found.value
    const { headers: { origin } } = yield* HttpServerRequest.HttpServerRequest
    const refusal = refusalOf(caller, { scope: Context.getOption(annotations, RequiredScope), origin })
    return refusal === undefined ? caller : yield* refusal
  })

/**
 * Lets a request through with its account, or answers for it. The three ways to send a key are one to us:
 * the server has collected them already.
 */
export const AuthorizationLayer: Layer.Layer<Authorization, never, Accounts> = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const caller = callerFor(yield* Accounts)
    const authorize = <E, R>(
      answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | CurrentAccount>,
      { group }: { readonly group: HttpApiGroup.Top },
    ) =>
      Effect.matchEffect(caller(group), {
        onFailure: problemResponse,
        onSuccess: (account) => Effect.provideService(answer, CurrentAccount, account),
      })
    return Authorization.of({ apiKeyQuery: authorize, apiKeyHeader: authorize, bearer: authorize })
  }),
)
