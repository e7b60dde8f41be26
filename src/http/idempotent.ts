import { Effect, Option, Predicate, Result, Schema } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ProblemDetails from "effect/http/ProblemDetails"
import { heldKeyIssues } from "../accounts/ApiKey.ts"
import { type IdempotencyHeaders, idempotencyKeyHeader, replayedHeader } from "../api/Idempotency.ts"
import { CurrentAccount } from "../api/Authorization.ts"
import { Fingerprint, type KeyedRequest, type WrittenAnswer } from "../domain/Idempotency.ts"
import type { InvalidRequest } from "../domain/Issues.ts"
import type { EpochMillis } from "../domain/Time.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { Claim, KeyInUse, KeyReused, KeyTaken } from "../swapping/Claim.ts"
import { Idempotency, KeyState, type RecallFailed } from "../swapping/Idempotency.ts"
import type { Failure } from "./problems.ts"
import { writeProblem } from "./orProblem.ts"
import { accept, type RawParameters } from "./explain.ts"
import type { Given } from "./rawParameters.ts"
import { RequestMeta } from "./server/RequestMeta.ts"
import { traceId } from "./traceId.ts"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"

/** A value in one way of writing: objects become lists of their members, sorted by name, at every depth. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (!Predicate.isObject(value)) return value
  return Object.entries(value)
    .map(([name, member]) => [name, canonical(member)] as const)
    .toSorted(([one], [other]) => one < other ? -1 : 1)
}

const known = (raw: RawParameters, names: ReadonlyArray<string>): RawParameters =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => names.includes(name)))

/**
 * The fingerprint of a request: its method, path and given parameters of these `names`, in query or body and in any
 * order. Requests with the same fingerprint are the same request. The credential was taken out before; unknown
 * parameters are ignored as everywhere (decision 3).
 */
const fingerprint = Effect.fnUntraced(function* (names: ReadonlyArray<string>, given: RawParameters) {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  const { pathname } = new URL(url, "http://localhost")
  const text = JSON.stringify([method, pathname, canonical(known(given, names))])
  return Fingerprint.make(bytesToHex(sha256(new TextEncoder().encode(text))))
})

/** A request that may come with an `Idempotency-Key`. */
export interface Sent<Order, Unread, R> {
  readonly headers: typeof IdempotencyHeaders.Type
  /** The request's parameters, before they are read. */
  readonly given: Effect.Effect<Given, Unread, R>
  /** Reads the parameters, and makes the order. */
  readonly read: (given: Given) => Effect.Effect<Order, Unread | InvalidRequest, R>
}

/** A request with the endpoint that answers it. */
interface Endpoint<Order, A, Unread, E, R> extends Sent<Order, Unread, R> {
  /** The names of the endpoint's parameters, in query and body. */
  readonly parameters: ReadonlyArray<string>
  readonly perform: (order: Order) => Effect.Effect<A, E, R>
  /** The body of the answer, as JSON text. */
  readonly write: (result: A) => string
  /** Until when the answer may be repeated; absent: always. */
  readonly staleAt?: (result: A) => EpochMillis
}

/** An endpoint that opens channels. It takes the key in the same transaction that records the opening. */
interface OpeningEndpoint<Order, A, Unread, E, Unopened, R> extends Endpoint<Order, A, Unread, E, R> {
  readonly performOnce: (order: Order, claim: Claim<A>) => Effect.Effect<A, Unopened | KeyTaken, R>
}

const success = <A>(
  { staleAt, write }: Pick<Endpoint<never, A, never, never, never>, "staleAt" | "write">,
  result: A,
): WrittenAnswer => ({
  status: 200,
  body: write(result),
  ...(staleAt === undefined ? {} : { staleAt: staleAt(result) }),
})

const respond = ({ status, body }: WrittenAnswer) =>
  HttpServerResponse.text(body, {
    status,
    contentType: status < 400 ? "application/json" : ProblemDetails.contentType,
  })

const traceIdIn = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ traceId: Schema.String })),
)

/** Repeats an answer. A problem names the trace of the first request, in its body and in `X-Request-Id`. */
const replay = Effect.fnUntraced(function* (answer: WrittenAnswer) {
  const first = answer.status < 400 ? Option.none() : traceIdIn(answer.body)
  if (Option.isSome(first)) {
    yield* HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeader(response, "x-request-id", first.value.traceId))
    )
  }
  return HttpServerResponse.setHeader(respond(answer), replayedHeader, "true")
})

/** Whether a failure is the outcome of the request. A database that is away may be there at the next try. */
const isFinal = (failure: Failure | KeyTaken): failure is Exclude<Failure, StoreUnavailable> =>
  failure._tag !== "StoreUnavailable" && failure._tag !== "KeyTaken"

/** Failures that come from the key: it is refused, in use by another request, or stands for a failure already. */
type KeyFailure =
  | InvalidRequest
  | RecallFailed
  | KeyInUse
  | KeyReused

/** Makes the functions that answer requests, each once for every `Idempotency-Key`. */
export const makeIdempotent = Effect.gen(function* () {
  const idempotency = yield* Idempotency

  const performUnder = <Order, A, Unread extends Failure, E, Unopened extends Failure, R>(
    keyed: KeyedRequest,
    given: Given,
    endpoint: OpeningEndpoint<Order, A, Unread, E, Unopened, R>,
  ): Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    Unread | Unopened | KeyFailure,
    R | HttpServerRequest.HttpServerRequest
  > =>
    Effect.gen(function* () {
      const standing = yield* idempotency.recall(keyed)
      if (KeyState.$is("Answered")(standing)) return yield* replay(standing.answer)
      const id = yield* traceId
      const claim: Claim<A> = {
        keyed,
        undecided: KeyState.$is("Undecided")(standing) ? Option.some(standing.opening) : Option.none(),
        write: {
          success: (result) => success(endpoint, result),
          failure: (error) => writeProblem(error, id),
        },
      }
      const performed = endpoint.read(given).pipe(
        Effect.flatMap((order) => endpoint.performOnce(order, claim)),
        // A key that another request has taken meanwhile keeps that request's answer.
        Effect.tapError((failure) =>
          isFinal(failure) ? idempotency.keep(keyed, writeProblem(failure, id)) : Effect.void
        ),
        Effect.map((result) => respond(claim.write.success(result))),
      )
      return yield* Effect.catchTag(
        idempotency.alone(keyed, performed),
        "KeyTaken",
        () => performUnder(keyed, given, endpoint),
      )
    })

  const opening = <Order, A, Unread extends Failure, E, Unopened extends Failure, R>(
    endpoint: OpeningEndpoint<Order, A, Unread, E, Unopened, R>,
  ) =>
    Effect.gen(function* () {
      const key = endpoint.headers["idempotency-key"]
      const { credentials } = yield* RequestMeta
      yield* accept([heldKeyIssues(idempotencyKeyHeader, key, credentials)], Result.void)
      const given = yield* endpoint.given
      if (key === undefined) {
        const result = yield* Effect.flatMap(endpoint.read(given), endpoint.perform)
        return respond(success(endpoint, result))
      }
      const { id: accountId } = yield* CurrentAccount
      const keyed = {
        accountId,
        key,
        fingerprint: yield* fingerprint(endpoint.parameters, given.raw),
      }
      return yield* performUnder(keyed, given, endpoint)
    })

  /** Answers a request that changes nothing upstream, and may be done again if it left no answer. */
  const repeatable = <Order, A, Unread extends Failure, E extends Failure, R>(
    endpoint: Endpoint<Order, A, Unread, E, R>,
  ) =>
    opening({
      ...endpoint,
      performOnce: (order, claim) => idempotency.perform(claim, endpoint.perform(order)),
    })

  return { opening, repeatable }
})
