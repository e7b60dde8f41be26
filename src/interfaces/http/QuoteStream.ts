import { Duration, Effect, Option, Schema, Stream } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { HttpServerResponse } from "effect/http"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Api } from "#api/Api.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { ProviderAnswer } from "#api/Problems.ts"
import { mostRounds, type quoteEvents, QuotesDone, QuoteStreamParameters } from "#api/QuoteStream.ts"
import type { Caller } from "#domain/accounts/Account.ts"
import { EpochMillis } from "#domain/Time.ts"
import { EventStreams } from "#application/events/EventStreams.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { QuotesArrival } from "#application/quoting/quoteArrivals.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import type { CallersQuotes } from "#application/quoting/RankedQuotes.ts"
import { accept, readBy, readerOf } from "../requests/parameterIssues.ts"
import { EventSettings, sentLastEventId, serverSentEvents } from "./serverSentEvents.ts"
import { listenerOf } from "../requests/authorise.ts"
import { failAsProblem, traceId } from "../requests/failAsProblem.ts"
import { codeOrKind } from "../requests/present/providerStatus.ts"
import { quotesJson } from "../requests/present/quotes.ts"
import { toProblem } from "../requests/problems.ts"
import { providerAnswer, providerProblem } from "../requests/providerProblem.ts"
import { quoteOrderOf } from "./Quotes.ts"
import type { OfRequest } from "../requests/problemReply.ts"

/** How the parameters of a refused stream are read again, to tell every issue. */
export const quoteStreamReadings = { quoteStream: readBy(readerOf(QuoteStreamParameters), quoteOrderOf) }

/** An event without its number. */
interface StreamEvent {
  readonly event: typeof quoteEvents[number]
  readonly data: string
}

const writeAnswer = Schema.encodeSync(Schema.fromJsonString(ProviderAnswer))
const writeDone = Schema.encodeSync(Schema.fromJsonString(QuotesDone))

/** The code with which `/quotes` answers a failure. */
const codeIn = ({ problem }: { readonly problem: { readonly code?: string | undefined } }) => problem.code

/** How an arrival is told. */
interface Telling {
  readonly request: OfRequest
  /** When the providers are asked again after this round. */
  readonly refreshAt: Effect.Effect<EpochMillis | undefined>
}

const tell = ({ refreshAt, request }: Telling) =>
(
  arrival: QuotesArrival<CallersQuotes>,
): Effect.Effect<StreamEvent> => {
  switch (arrival._tag) {
    case "Quotes":
      return Effect.succeed({
        event: "quote",
        data: quotesJson(arrival.answer.identified, arrival.answer, false),
      })
    case "Refusal": {
      const { failure, provider } = arrival
      const answer = failure === undefined
        ? { platform: provider, detail: "The provider has no quote for this" }
        : providerAnswer(request)(failure)
      return Effect.succeed({ event: "refusal", data: writeAnswer(answer) })
    }
    case "Done":
      return Effect.map(refreshAt, (refreshAt) => ({
        event: "done",
        data: writeDone({
          quoteCount: arrival.quoteCount,
          ...optionalMembers(arrival.failure, (failure) => ({
            reason: codeIn(providerProblem(failure, request)) ?? codeOrKind(failure),
          })),
          ...optionalMembers(refreshAt, (refreshAt) => ({ refreshAt })),
        }),
      }))
  }
}

/** How a stream asks the providers again and again: `A` is what they answer with, `T` what the caller is told of it. */
export interface Rounds<A, E, T> {
  /** The caller of the request. */
  readonly caller: Caller
  /** The same caller with the rights and terms of now; none once it may not listen any more. */
  readonly listener: Effect.Effect<Option.Option<Caller>>
  readonly ask: (caller: Caller) => Effect.Effect<Stream.Stream<A>, E>
  /** What is told of an answer of a round, which may be the last one. */
  readonly tell: (answer: A, isLast: boolean) => Effect.Effect<T>
  /** What is told where the providers may not be asked again. */
  readonly refused: (failure: E) => T
  /** The time between the end of a round and the next one. */
  readonly pause: Duration.Duration
  readonly most: number
}

/**
 * All that is told in the rounds of a stream, which fails where the first may not be asked. Minutes pass between rounds,
 * so each is asked under what holds by then: else its quotes would hold a commission that no opening takes any more.
 */
export const inRounds = <A, E, T>(
  { ask, caller, listener, most, pause, refused, tell }: Rounds<A, E, T>,
): Effect.Effect<Stream.Stream<T>, E> => {
  const from = (round: number, answers: Stream.Stream<A>): Stream.Stream<T> => {
    const isLast = round === most
    const told = Stream.mapEffect(answers, (answer) => tell(answer, isLast))
    return isLast ? told : Stream.concat(told, Stream.unwrap(Effect.delay(next(round + 1), pause)))
  }

  const next = (round: number): Effect.Effect<Stream.Stream<T>> =>
    Effect.flatMap(
      listener,
      Option.match({
        onNone: () => Effect.succeed(Stream.empty),
        onSome: (caller) =>
          Effect.match(ask(caller), {
            onSuccess: (answers) => from(round, answers),
            onFailure: (failure) => Stream.succeed(refused(failure)),
          }),
      }),
    )

  return Effect.map(ask(caller), (answers) => from(1, answers))
}

const momentAfter = (pause: Duration.Duration) =>
  Effect.map(currentMillis, (now) => EpochMillis.make(now + Duration.toMillis(pause)))

export const QuoteStreamHandlers = HttpApiBuilder.group(
  Api,
  "quoteStream",
  Effect.fnUntraced(function* (handlers) {
    const quoting = yield* Quoting
    const streams = yield* EventStreams
    const accounts = yield* Accounts
    const { heartbeat } = yield* EventSettings

    const stream = Effect.fnUntraced(
      function* ({ refreshSeconds, ...wish }: typeof QuoteStreamParameters.Type) {
        const known = yield* accept([], yield* sentLastEventId)
        const order = yield* accept([], yield* quoting.order(wish))
        if (Option.isSome(known)) return HttpServerResponse.empty()
        const caller = yield* CurrentAccount
        const request = { traceId: yield* traceId }
        const pause = Duration.seconds(refreshSeconds ?? 0)
        const listener = yield* listenerOf(accounts, ["quote"])
        const told = yield* inRounds({
          caller,
          listener,
          ask: (caller) => quoting.arriving(caller, order),
          tell: (arrival, isLast) =>
            tell({ request, refreshAt: isLast ? Effect.undefined : momentAfter(pause) })(arrival),
          refused: (failure) => ended(codeIn(toProblem(failure, request))),
          pause,
          most: refreshSeconds === undefined ? 1 : mostRounds,
        })

        const events = Stream.zipWithIndex(told).pipe(
          Stream.map(([told, index]) => ({ ...told, id: index + 1 })),
        )
        return serverSentEvents(yield* streams.keep(caller.id, events), {
          heartbeat,
          allowed: Effect.map(listener, Option.isSome),
        })
      },
    )

    return handlers.handle("quoteStream", ({ query }) => failAsProblem(stream(query)))
  }),
)

/** The end of a stream whose providers may not be asked again. */
const ended = (code: string | undefined): StreamEvent => ({
  event: "done",
  data: writeDone({ quoteCount: 0, ...optionalMembers(code, (reason) => ({ reason })) }),
})
