import { Effect, Layer, Option } from "effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Accounts } from "../accounts/Accounts.ts"
import { Authorization } from "../api/Authorization.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { InvalidRequest, wrong } from "../domain/Faults.ts"
import { Unauthenticated } from "./HttpFailure.ts"
import { problemResponse } from "./problemResponse.ts"
import { Received } from "./Received.ts"

/** The account of a request's one credential, or why there is none. */
const authenticate = (accounts: Accounts["Service"]) =>
  Effect.gen(function* () {
    const { credentials: [key, ...others] } = yield* Received
    if (key === undefined) return yield* new Unauthenticated()
    if (others.length > 0) {
      return yield* new InvalidRequest({
        errors: wrong("apiKey", "is given several times with different values"),
      })
    }
    const account = yield* accounts.authenticate(key)
    return yield* Option.match(account, {
      onNone: () => Effect.fail(new Unauthenticated()),
      onSome: Effect.succeed,
    })
  })

/**
 * Lets a request through with its account, or answers for it. The three ways to send a key are one to us:
 * the server has collected them already.
 */
export const AuthorizationLayer: Layer.Layer<Authorization, never, Accounts> = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const authorize = <E, R>(
      answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | CurrentAccount>,
    ) =>
      Effect.matchEffect(authenticate(accounts), {
        onFailure: problemResponse,
        onSuccess: (account) => Effect.provideService(answer, CurrentAccount, account),
      })
    return Authorization.of({ apiKeyQuery: authorize, apiKeyHeader: authorize, bearer: authorize })
  }),
)
