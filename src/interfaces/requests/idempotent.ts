import { Effect, Option, Predicate, Result, Schema } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse, ProblemDetails } from "effect/http"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { type IdempotencyHeaders, idempotencyKeyHeader, replayedHeader } from "#api/Idempotency.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { Fingerprint, type KeyedRequest, type WrittenAnswer } from "#domain/swaps/Idempotency.ts"
import type { InvalidRequest } from "#domain/Issues.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import type {
  IdempotencyClaim,
  KeyInUse,
  KeyReused,
  KeyTaken,
} from "#application/swapping/opening/OpeningRecord.ts"
import { Idempotency, KeyState, type RecallFailed } from "#application/swapping/opening/Idempotency.ts"
import type { QuoteExpired } from "#application/swapping/opening/QuoteBinding.ts"
import type { Failure, QuoteReplaced } from "./problems.ts"
import { traceId, writeProblem } from "./failedRequests.ts"
import { accept, type Given, type RawParameters } from "./parameterIssues.ts"
import { RequestMeta } from "./RequestMeta.ts"
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

/** A request's fingerprint: method, path and parameters of these `names`, in any order (decision 3). */
const fingerprint = Effect.fnUntraced(function* (names: ReadonlyArray<string>, given: RawParameters) {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  const { pathname } = new URL(url, "http://localhost")
  const text = JSON.stringify([method, pathname, canonical(known(given, names))])
  return Fingerprint.make(bytesToHex(sha256(new TextEncoder().encode(text))))
})

/** A request that may come with an `Idempotency-Key`. */
export interface IdempotentRequest<Order, Unread, R> {
  readonly headers: typeof IdempotencyHeaders.Type
  /** The request's parameters, before they are read. */
  readonly given: Effect.Effect<Given, Unread, R>
  /** Reads the parameters, and makes the order. */
  readonly read: (given: Given) => Effect.Effect<Order, Unread | InvalidRequest, R>
}

interface Endpoint<Order, A, Unread, E, R> extends IdempotentRequest<Order, Unread, R> {
  /** The names of the endpoint's parameters, in query and body. */
  readonly parameters: ReadonlyArray<string>
  /** Carries an order out; with a `claim` it takes the key in the same transaction that records what it does. */
  readonly perform: (order: Order, claim?: IdempotencyClaim<A>) => Effect.Effect<A, E | KeyTaken, R>
  /** The body of the answer, as JSON text. */
  readonly write: (result: A) => string
  /** Until when the answer may be repeated; absent: always. */
  readonly staleAt?: (result: A) => EpochMillis
  /** What a kept answer is repeated as; absent: as it was. */
  readonly repeat?: (answer: WrittenAnswer) => Effect.Effect<WrittenAnswer, never, R>
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

const traceIdIn = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ traceId: Schema.String })))

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

/** Whether a failure is final. A database may return, and an expired quote has a new one beside it. */
const isFinal = (
  failure: Failure | KeyTaken,
): failure is Exclude<Failure, StoreUnavailable | QuoteExpired | QuoteReplaced> =>
  failure._tag !== "StoreUnavailable" && failure._tag !== "KeyTaken" && failure._tag !== "QuoteExpired" &&
  failure._tag !== "QuoteReplaced"

/** Failures that come from the key: it is refused, in use by another request, or stands for a failure already. */
type KeyFailure =
  | InvalidRequest
  | RecallFailed
  | KeyInUse
  | KeyReused

/** Work to be carried out once for its key, and how its outcome is written down. */
interface Once<Order, A, Unread, E, R> {
  readonly read: Effect.Effect<Order, Unread, R>
  readonly perform: (order: Order, claim: IdempotencyClaim<A>) => Effect.Effect<A, E | KeyTaken, R>
  readonly write: {
    readonly success: (result: A) => WrittenAnswer
    readonly failure: (failure: Failure) => WrittenAnswer
  }
}

/** The answer under a key, and whether it was given before. */
interface OnceAnswered {
  readonly answer: WrittenAnswer
  readonly isRepeated: boolean
}

/** Makes the function that carries out work once for its key, or finds the answer that it had. */
export const makeOnce = Effect.map(Idempotency, (idempotency) => {
  const once = <Order, A, Unread extends Failure, E extends Failure, R>(
    keyed: KeyedRequest,
    work: Once<Order, A, Unread, E, R>,
  ): Effect.Effect<OnceAnswered, Unread | E | KeyFailure, R> =>
    Effect.gen(function* () {
      const standing = yield* idempotency.recall(keyed)
      if (KeyState.$is("Answered")(standing)) return { answer: standing.answer, isRepeated: true }
      const claim: IdempotencyClaim<A> = {
        keyed,
        undecided: KeyState.$is("Undecided")(standing) ? Option.some(standing.opening) : Option.none(),
        write: work.write,
      }
      const performed = work.read.pipe(
        Effect.flatMap((order) => work.perform(order, claim)),
        // A key that another request has taken meanwhile keeps that request's answer.
        Effect.tapError((failure) =>
          isFinal(failure) ? idempotency.keep(keyed, work.write.failure(failure)) : Effect.void
        ),
        Effect.map((result) => ({ answer: work.write.success(result), isRepeated: false })),
      )
      return yield* Effect.catchTag(idempotency.alone(keyed, performed), "KeyTaken", () => once(keyed, work))
    })
  return once
})

/** Makes the functions that answer requests, each once for every `Idempotency-Key`. */
export const makeIdempotent = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const once = yield* makeOnce

  const performUnder = <Order, A, Unread extends Failure, E extends Failure, R>(
    keyed: KeyedRequest,
    given: Given,
    endpoint: Endpoint<Order, A, Unread, E, R>,
  ) =>
    Effect.gen(function* () {
      const id = yield* traceId
      const { answer, isRepeated } = yield* once(keyed, {
        read: endpoint.read(given),
        perform: endpoint.perform,
        write: {
          success: (result) => success(endpoint, result),
          failure: (failure) => writeProblem(failure, id),
        },
      })
      if (!isRepeated) return respond(answer)
      return yield* replay(endpoint.repeat === undefined ? answer : yield* endpoint.repeat(answer))
    })

  const opening = <Order, A, Unread extends Failure, E extends Failure, R>(
    endpoint: Endpoint<Order, A, Unread, E, R>,
  ) =>
    Effect.gen(function* () {
      const key = endpoint.headers["idempotency-key"]
      const { credentials } = yield* RequestMeta
      yield* accept([heldKeyIssues(idempotencyKeyHeader, key, credentials)], Result.void)
      const given = yield* endpoint.given
      if (key === undefined) {
        const order = yield* endpoint.read(given)
        // Without a key none can be taken.
        const result = yield* Effect.catchTag(endpoint.perform(order), "KeyTaken", Effect.die)
        return respond(success(endpoint, result))
      }
      const { id: accountId } = yield* CurrentAccount
      const keyed = { accountId, key, fingerprint: yield* fingerprint(endpoint.parameters, given.raw) }
      return yield* performUnder(keyed, given, endpoint)
    })

  /** Answers a request that changes nothing upstream, and may be done again if it left no answer. */
  const repeatable = <Order, A, Unread extends Failure, E extends Failure, R>(
    endpoint: Endpoint<Order, A, Unread, E, R>,
  ) =>
    opening({
      ...endpoint,
      perform: (order, claim) =>
        claim === undefined ? endpoint.perform(order) : idempotency.perform(claim, endpoint.perform(order)),
    })

  return { opening, repeatable }
})
