import { Context, Effect, Layer, Option } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Accounts } from "../accounts/Accounts.ts"
import {
  Authorization,
  CurrentAccount,
  CurrentActor,
  OperatorAuthorization,
  RequiredScopes,
} from "../api/Authorization.ts"
import { NamesOfOpening } from "../api/Idempotency.ts"
import { actorOf } from "../domain/Audit.ts"
import { InvalidRequest, issueAbout } from "../domain/Issues.ts"
import { OnBehalfOf } from "../platform/Bulkhead.ts"
import { type Admission, makeAdmission } from "../limits/admission.ts"
import { limitHeaders } from "../limits/headers.ts"
import { problemResponse } from "./orProblem.ts"
import { RequestMeta } from "./server/RequestMeta.ts"
import { authorise, Unauthenticated } from "./authorise.ts"

/** The endpoint that a request was routed to, and its group. */
interface Way {
  readonly group: HttpApiGroup.Top
  readonly endpoint: HttpApiEndpoint.Top
}

const scopesOf = (annotations: HttpApiGroup.Top["annotations"]) =>
  Option.getOrElse(Context.getOption(annotations, RequiredScopes), () => [])

const purposeOf = ({ annotations }: Way["endpoint"]) =>
  Option.isSome(Context.getOption(annotations, NamesOfOpening)) ? "swap" : "default"

/** The caller, found by the API key. Fails where key, limits or rights do not allow the request. */
const callerFor = (accounts: Accounts["Service"], admission: Admission) =>
  Effect.fnUntraced(function* ({ group: { annotations }, endpoint }: Way) {
    const { address = "unknown", credentials: [key, ...others], meter } = yield* RequestMeta
    if (key === undefined) return yield* new Unauthenticated()
    if (others.length > 0) {
      return yield* new InvalidRequest({
        errors: issueAbout("apiKey", "is given several times with different values"),
      })
    }
    const found = yield* admission.checkKey(key, address, {
      issuedId: accounts.issuedId(key),
      lookUp: accounts.authenticate(key),
    })
    if (Option.isNone(found)) return yield* new Unauthenticated()
    const caller = found.value
    const admitted = yield* admission.admit({ purpose: purposeOf(endpoint), subject: caller })
    if (admitted !== undefined) {
      meter?.(admitted.again)
      const headers = limitHeaders(admitted.state)
      yield* HttpEffect.appendPreResponseHandler((_, response) =>
        Effect.succeed(HttpServerResponse.setHeaders(response, headers))
      )
    }
    const { headers: { origin } } = yield* HttpServerRequest.HttpServerRequest
    const refusal = authorise(caller, { scopes: scopesOf(annotations), origin })
    return refusal === undefined ? caller : yield* refusal
  })

type Answer<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/**
 * Provides the endpoint with the caller, or answers with the problem. The server has collected the keys of a request,
 * so the three ways to send one are the same here. Wrong keys have one count for all endpoints.
 */
export const AuthorizationLayer = Layer.effectContext(
  Effect.gen(function* () {
    const caller = callerFor(yield* Accounts, yield* makeAdmission)
    const authorize = <E, R>(answer: Answer<E, R | CurrentAccount | CurrentActor>, way: Way) =>
      Effect.matchEffect(caller(way), {
        onFailure: problemResponse,
        onSuccess: (account) =>
          // Services are provided one by one: merging a context of the three would copy all the others.
          answer.pipe(
            Effect.provideService(CurrentAccount, account),
            Effect.provideService(CurrentActor, actorOf(account)),
            Effect.provideService(OnBehalfOf, account.id),
          ),
      })
    const asked = { apiKeyQuery: authorize, apiKeyHeader: authorize, bearer: authorize }
    return Context.make(Authorization, asked).pipe(Context.add(OperatorAuthorization, asked))
  }),
)
