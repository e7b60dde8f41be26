import { Context, Effect, Layer, Option } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Accounts } from "#application/accounts/Accounts.ts"
import { RequestErrors } from "#application/accounts/RequestErrors.ts"
import {
  Authorization,
  CurrentAccount,
  CurrentActor,
  OperatorAuthorization,
  ReportCardAuthorization,
  RequiredScopes,
} from "#api/Authorization.ts"
import { NamesOfOpening } from "#api/Idempotency.ts"
import type { Caller } from "#domain/accounts/Account.ts"
import { actorOf } from "#domain/operations/Audit.ts"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { type Admission, makeAdmission } from "#application/limits/admitRequest.ts"
import { limitHeaders, LimitReached, RateLimits } from "#application/limits/RateLimits.ts"
import { NoteFailure, noteFor, problemResponse, unexpected } from "./failedRequests.ts"
import { RequestMeta } from "./RequestMeta.ts"
import { authorise, passageOf, Unauthenticated } from "./authorise.ts"

/** Whether the report cards of providers are for everybody. */
export class Reports extends Context.Service<Reports, { readonly arePublic: boolean }>()(
  "swap-broker/requests/Reports",
) {}

/** The endpoint that a request was routed to, and its group. */
interface Way {
  readonly group: HttpApiGroup.Top
  readonly endpoint: HttpApiEndpoint.Top
}

const scopesOf = (annotations: HttpApiGroup.Top["annotations"]) =>
  Option.getOrElse(Context.getOption(annotations, RequiredScopes), () => [])

const purposeOf = ({ annotations }: Way["endpoint"]) =>
  Option.isSome(Context.getOption(annotations, NamesOfOpening)) ? "swap" : "default"

type NotCaller = Unauthenticated | InvalidRequest | LimitReached | StoreUnavailable

/** The caller with the API key of a request. */
export const callerWith = (accounts: Accounts["Service"], admission: Admission) =>
  Effect.withFiber((fiber): Effect.Effect<Caller, NotCaller> => {
    const { address = "unknown", credentials: [key, ...others], knownAs } = fiber.getRef(RequestMeta)
    if (key === undefined) return Effect.fail(new Unauthenticated())
    if (others.length > 0) {
      const errors = issueAbout("apiKey", "was given several times with different values")
      return Effect.fail(new InvalidRequest({ errors }))
    }
    const ways = { issuedId: accounts.issuedId(key), lookUp: accounts.authenticate(key) }
    return Effect.flatMap(admission.checkKey(key, address, ways), (found) => {
      if (Option.isNone(found)) return Effect.fail(new Unauthenticated())
      knownAs?.(found.value.keyId)
      return Effect.succeed(found.value)
    })
  })

/** Fails where the limits or rights of a caller do not allow the request. */
const admitted = (admission: Admission) =>
  Effect.fnUntraced(function* (caller: Caller, { group: { annotations }, endpoint }: Way) {
    const { meter } = yield* RequestMeta
    const purpose = purposeOf(endpoint)
    const admitted = yield* admission.admit({ purpose, subject: caller })
    if (admitted !== undefined) {
      meter?.(admitted.again)
      const headers = limitHeaders(admitted.state)
      yield* HttpEffect.appendPreResponseHandler((_, response) =>
        Effect.succeed(HttpServerResponse.setHeaders(response, headers))
      )
    }
    const passage = passageOf(yield* HttpServerRequest.HttpServerRequest)
    const refusal = authorise(caller, {
      scopes: scopesOf(annotations),
      origin: passage.origin,
      ...(purpose === "swap" ? { begins: passage } : {}),
    })
    if (refusal !== undefined) yield* refusal
  })

type Answer<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/**
 * Provides the endpoint with the caller, or answers with the problem. The server has collected the keys of a request,
 * so the three ways to send one are the same here. Wrong keys have one count for all endpoints. Failures are counted
 * for the account, those of a defect here: its answer is written where nobody knows the account.
 */
export const AuthorizationLayer = Layer.effectContext(
  Effect.gen(function* () {
    const admission = yield* makeAdmission
    const errors = yield* RequestErrors
    const caller = callerWith(yield* Accounts, admission)
    const admit = admitted(admission)
    const authorize = <E, R>(answer: Answer<E, R | CurrentAccount | CurrentActor>, way: Way) =>
      Effect.matchEffect(caller, {
        onFailure: problemResponse,
        onSuccess: (account) => {
          const note = noteFor(errors, account.id, way.endpoint)
          return Effect.matchEffect(admit(account, way), {
            onFailure: problemResponse,
            onSuccess: () =>
              // Services are provided one by one: merging a context of the three would copy all the others.
              answer.pipe(
                Effect.tapDefect(() => note(unexpected)),
                Effect.provideService(CurrentAccount, account),
                Effect.provideService(CurrentActor, actorOf(account)),
                Effect.provideService(OnBehalfOf, account.id),
              ),
          }).pipe(Effect.provideService(NoteFailure, note))
        },
      })
    const asked = { apiKeyQuery: authorize, apiKeyHeader: authorize, bearer: authorize }
    const { arePublic } = yield* Reports
    const limits = yield* RateLimits
    /** Without a key an address has the limit of a key. */
    const anybody = <E, R>(answer: Answer<E, R>) =>
      Effect.flatMap(RequestMeta, ({ address = "unknown" }) => {
        const standing = limits.take("default", `from ${address}`)
        return standing === undefined || standing.isAdmitted
          ? answer
          : problemResponse(new LimitReached({ standing }))
      })
    const open = <E, R>(answer: Answer<E, R>, way: Way) =>
      arePublic ? anybody(answer) : authorize(answer, way)
    return Context.make(Authorization, asked).pipe(
      Context.add(OperatorAuthorization, asked),
      Context.add(ReportCardAuthorization, { apiKeyQuery: open, apiKeyHeader: open, bearer: open }),
    )
  }),
)
