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
import { Received } from "./server/Received.ts"
import { traceId } from "./traceId.ts"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"

/** One way of writing what can be written in many: members in the order of their names, all the way down. */
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
 * What makes two requests the same: method, path and those of the parameters that are given which have one of the
 * `names`, wherever they stand and in whatever order. The credential was taken away before; unknown parameters
 * are ignored as everywhere (decision 3).
 */
const fingerprint = Effect.fnUntraced(function* (names: ReadonlyArray<string>, given: RawParameters) {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  const { pathname } = new URL(url, "http://localhost")
  const text = JSON.stringify([method, pathname, canonical(known(given, names))])
  return Fingerprint.make(bytesToHex(sha256(new TextEncoder().encode(text))))
})

/** A request that can be sent again under a key. */
export interface Sent<Order, Unread, R> {
  readonly headers: typeof IdempotencyHeaders.Type
  /** What it says, before it is read. */
  readonly given: Effect.Effect<Given, Unread, R>
  /** What it asks for. */
  readonly read: (given: Given) => Effect.Effect<Order, Unread | InvalidRequest, R>
}

/** How such a request is answered. */
interface Endpoint<Order, A, Unread, E, R> extends Sent<Order, Unread, R> {
  /** The names of its parameters, in query and body. */
  readonly parameters: ReadonlyArray<string>
  readonly perform: (order: Order) => Effect.Effect<A, E, R>
  /** The body of the answer, as JSON text. */
  readonly write: (result: A) => string
  /** Until when the answer may be told again; absent: always. */
  readonly staleAt?: (result: A) => EpochMillis
}

/** One whose requests open something: it takes the key itself, together with its record. */
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

/** A problem names the trace of the request that it was first told to, in its body and in the header alike. */
const replay = Effect.fnUntraced(function* (answer: WrittenAnswer) {
  const first = answer.status < 400 ? Option.none() : traceIdIn(answer.body)
  if (Option.isSome(first)) {
    yield* HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeader(response, "x-request-id", first.value.traceId))
    )
  }
  return HttpServerResponse.setHeader(respond(answer), replayedHeader, "true")
})

/** Whether it says what came of the request; the database may be there again for the next. */
const isFinal = (failure: Failure | KeyTaken): failure is Exclude<Failure, StoreUnavailable> =>
  failure._tag !== "StoreUnavailable" && failure._tag !== "KeyTaken"

/** What can be the matter with the key of a request, or stands under it already. */
type KeyFailure =
  | InvalidRequest
  | RecallFailed
  | KeyInUse
  | KeyReused

/** Answers requests, each once for every `Idempotency-Key` (decisions, Idempotency). */
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
        // Where the key is taken by now, what stands under it stays.
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
      const { credentials } = yield* Received
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

  /** For what changes nothing upstream and could be repeated. */
  const repeatable = <Order, A, Unread extends Failure, E extends Failure, R>(
    endpoint: Endpoint<Order, A, Unread, E, R>,
  ) =>
    opening({
      ...endpoint,
      performOnce: (order, claim) => idempotency.perform(claim, endpoint.perform(order)),
    })

  return { opening, repeatable }
})
