import { Effect, Layer, Option } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Accounts } from "../accounts/Accounts.ts"
import type { RateLimits } from "../accounts/RateLimits.ts"
import { Authorization } from "../api/Authorization.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { InvalidRequest, wrong } from "../domain/Faults.ts"
import { type Admission, makeAdmission } from "./admission.ts"
import { AllowedOrigins, type AllowsOrigin } from "./cors.ts"
import { OriginNotAllowed, Unauthenticated } from "./HttpFailure.ts"
import { problemResponse } from "./problemResponse.ts"
import { Received } from "./Received.ts"

interface Doorkeepers {
  readonly accounts: Accounts["Service"]
  readonly admission: Admission
  readonly allowsOrigin: AllowsOrigin
}

/** The account of the one credential of a request for a path, or why there is none. */
const authenticate = ({ accounts, admission, allowsOrigin }: Doorkeepers, path: string) =>
  Effect.gen(function* () {
    const { credentials: [key, ...others] } = yield* Received
    if (key === undefined) return yield* new Unauthenticated()
    if (others.length > 0) {
      return yield* new InvalidRequest({
        errors: wrong("apiKey", "is given several times with different values"),
      })
    }
    const account = yield* admission.checkKey(key, accounts.authenticate(key))
    if (Option.isNone(account)) return yield* new Unauthenticated()
    yield* admission.admit({ path, keyId: `${account.value.id}` })
    // Refused before it does anything: browsers send simple requests without asking first.
    const { headers: { origin } } = yield* HttpServerRequest.HttpServerRequest
    if (origin !== undefined && !allowsOrigin(origin, account.value)) return yield* new OriginNotAllowed()
    return account.value
  })

/**
 * Lets a request through with its account, or answers for it. The three ways to send a key are one to us:
 * the server has collected them already.
 */
export const AuthorizationLayer: Layer.Layer<Authorization, never, Accounts | RateLimits> = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const doorkeepers: Doorkeepers = {
      accounts: yield* Accounts,
      admission: yield* makeAdmission,
      allowsOrigin: yield* AllowedOrigins,
    }
    const authorize = <E, R>(
      answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | CurrentAccount>,
      { endpoint: { path } }: { readonly endpoint: HttpApiEndpoint.Top },
    ) =>
      Effect.matchEffect(authenticate(doorkeepers, path), {
        onFailure: problemResponse,
        onSuccess: (account) => Effect.provideService(answer, CurrentAccount, account),
      })
    return Authorization.of({ apiKeyQuery: authorize, apiKeyHeader: authorize, bearer: authorize })
  }),
)
