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
import { Received } from "./server/Received.ts"
import { refusalOf, Unauthenticated } from "./refusalOf.ts"

/** Where a request leads. */
interface Way {
  readonly group: HttpApiGroup.Top
  readonly endpoint: HttpApiEndpoint.Top
}

const scopesOf = (annotations: HttpApiGroup.Top["annotations"]) =>
  Option.getOrElse(Context.getOption(annotations, RequiredScopes), () => [])

const purposeOf = ({ annotations }: Way["endpoint"]) =>
  Option.isSome(Context.getOption(annotations, NamesOfOpening)) ? "swap" : "default"

/** Who makes a request, by its one credential, or why it is not let in. */
const callerFor = (accounts: Accounts["Service"], admission: Admission) =>
  Effect.fnUntraced(function* ({ group: { annotations }, endpoint }: Way) {
    const { address = "unknown", credentials: [key, ...others], meter } = yield* Received
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
    const refusal = refusalOf(caller, { scopes: scopesOf(annotations), origin })
    return refusal === undefined ? caller : yield* refusal
  })

type Answer<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/**
 * Lets a request through with its account, or answers for it. The three ways to send a key are one to us:
 * the server has collected them already. Wrong keys are counted together, whichever endpoint they are sent to.
 */
export const AuthorizationLayer = Layer.effectContext(
  Effect.gen(function* () {
    const caller = callerFor(yield* Accounts, yield* makeAdmission)
    const authorize = <E, R>(answer: Answer<E, R | CurrentAccount | CurrentActor>, way: Way) =>
      Effect.matchEffect(caller(way), {
        onFailure: problemResponse,
        onSuccess: (account) =>
          // One by one: a context of the three would have all the others copied.
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
