import { Effect, Option, Schema } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { replayedHeader } from "../api/Idempotency.ts"
import { CurrentAccount } from "../domain/Account.ts"
import type { KeyedRequest, WrittenAnswer } from "../domain/Idempotency.ts"
import type { EpochMillis } from "../domain/Time.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { Claim, KeyTaken } from "../swapping/Claim.ts"
import { Idempotency, Standing } from "../swapping/Idempotency.ts"
import { fingerprint } from "./fingerprint.ts"
import { orProblem, problemContentType, writeProblem } from "./problemResponse.ts"
import { readIdempotencyKey } from "./readIdempotencyKey.ts"
import type { Failure } from "./toProblem.ts"
import { traceId } from "./traceId.ts"

/** An endpoint that can be sent again under a key. */
interface Endpoint<Order, A, R> {
  /** The names of its parameters, in query and body. */
  readonly parameters: ReadonlyArray<string>
  /** What a request asks for. */
  readonly read: Effect.Effect<Order, Failure, R>
  readonly perform: (order: Order) => Effect.Effect<A, Failure, R>
  /** The body of the answer, as JSON text. */
  readonly write: (result: A) => string
  /** Until when the answer may be told again; absent: always. */
  readonly staleAt?: (result: A) => EpochMillis
}

/** One whose requests open something: it takes the key itself, together with its record. */
interface OpeningEndpoint<Order, A, R> extends Endpoint<Order, A, R> {
  readonly performOnce: (order: Order, claim: Claim<A>) => Effect.Effect<A, Failure | KeyTaken, R>
}

const success = <Order, A, R>({ staleAt, write }: Endpoint<Order, A, R>, result: A): WrittenAnswer => ({
  status: 200,
  body: write(result),
  ...(staleAt === undefined ? {} : { staleAt: staleAt(result) }),
})

const respond = ({ status, body }: WrittenAnswer) =>
  HttpServerResponse.text(body, {
    status,
    contentType: status < 400 ? "application/json" : problemContentType,
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

/** Answers requests, each once for every `Idempotency-Key` (decisions, Idempotency). */
export const makeIdempotent = Effect.gen(function* () {
  const idempotency = yield* Idempotency

  const performUnder = <Order, A, R>(
    keyed: KeyedRequest,
    endpoint: OpeningEndpoint<Order, A, R>,
  ): Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    Failure,
    R | HttpServerRequest.HttpServerRequest
  > =>
    Effect.gen(function* () {
      const standing = yield* idempotency.recall(keyed)
      if (Standing.$is("Answered")(standing)) return yield* replay(standing.answer)
      const id = yield* traceId
      const claim: Claim<A> = {
        keyed,
        undecided: Standing.$is("Undecided")(standing) ? Option.some(standing.opening) : Option.none(),
        write: {
          success: (result) => success(endpoint, result),
          failure: (error) => writeProblem(error, id),
        },
      }
      const performed = endpoint.read.pipe(
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
        () => performUnder(keyed, endpoint),
      )
    })

  const opening = <Order, A, R>(endpoint: OpeningEndpoint<Order, A, R>) =>
    orProblem(Effect.gen(function* () {
      const key = yield* readIdempotencyKey
      if (Option.isNone(key)) {
        const result = yield* Effect.flatMap(endpoint.read, endpoint.perform)
        return respond(success(endpoint, result))
      }
      const { id: accountId } = yield* CurrentAccount
      const keyed = { accountId, key: key.value, fingerprint: yield* fingerprint(endpoint.parameters) }
      return yield* performUnder(keyed, endpoint)
    }))

  /** For what changes nothing upstream and could be repeated. */
  const repeatable = <Order, A, R>(endpoint: Endpoint<Order, A, R>) =>
    opening({
      ...endpoint,
      performOnce: (order, claim) => idempotency.perform(claim, endpoint.perform(order)),
    })

  return { opening, repeatable }
})
