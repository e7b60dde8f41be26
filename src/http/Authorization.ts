import { Effect, Layer, Option } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Accounts } from "../accounts/Accounts.ts"
import { Authorization } from "../api/Authorization.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { InvalidRequest, wrong } from "../domain/Faults.ts"
import { AllowedOrigins, type AllowsOrigin } from "./cors.ts"
import { OriginNotAllowed, Unauthenticated } from "./HttpFailure.ts"
import { problemResponse } from "./problemResponse.ts"
import { Received } from "./Received.ts"

/** The account of a request's one credential, or why there is none. */
const authenticate = (accounts: Accounts["Service"], allowsOrigin: AllowsOrigin) =>
  Effect.gen(function* () {
    const { credentials: [key, ...others] } = yield* Received
    if (key === undefined) return yield* new Unauthenticated()
    if (others.length > 0) {
      return yield* new InvalidRequest({
        errors: wrong("apiKey", "is given several times with different values"),
      })
    }
    const account = yield* accounts.authenticate(key)
    if (Option.isNone(account)) return yield* new Unauthenticated()
    // Refused before it does anything: browsers send simple requests without asking first.
    const { headers: { origin } } = yield* HttpServerRequest.HttpServerRequest
    if (origin !== undefined && !allowsOrigin(origin, account.value)) return yield* new OriginNotAllowed()
    return account.value
  })

/**
 * Lets a request through with its account, or answers for it. The three ways to send a key are one to us:
 * the server has collected them already.
 */
export const AuthorizationLayer: Layer.Layer<Authorization, never, Accounts> = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const allowsOrigin = yield* AllowedOrigins
    const authorize = <E, R>(
      answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | CurrentAccount>,
    ) =>
      Effect.matchEffect(authenticate(accounts, allowsOrigin), {
        onFailure: problemResponse,
        onSuccess: (account) => Effect.provideService(answer, CurrentAccount, account),
      })
    return Authorization.of({ apiKeyQuery: authorize, apiKeyHeader: authorize, bearer: authorize })
  }),
)
