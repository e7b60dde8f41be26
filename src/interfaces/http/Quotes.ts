import { Duration, Effect, Option, Schema, Stream } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { LimitsParameters, QuoteNativeParameters, QuoteParameters } from "#api/Quotes.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import type { Caller } from "#domain/accounts/Account.ts"
import { QuoteId } from "#domain/quotes/BoundQuote.ts"
import { CallUrgency } from "#infrastructure/platform/Budget.ts"
import { Minimums } from "#application/quoting/Minimums.ts"
import { ofPair, type QuoteInput, type QuotesRequest } from "#application/quoting/QuotesRequest.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import { accept, readBy, readerOf } from "../requests/parameterIssues.ts"
import { ExplanationExpired, QuoteUnknown, toProblem } from "../requests/problems.ts"
import { jsonResponse } from "./pages.ts"
import { presentComparison, presentExplanation, presentLimits } from "../requests/present/comparison.ts"
import { codeOrKind, providerStatus, providerStatusHeader } from "../requests/present/providerStatus.ts"
import { quotesJson } from "../requests/present/quotes.ts"
import { failAsProblem, handlersOf, traceId } from "../requests/failedRequests.ts"
import { RequestMeta } from "../requests/RequestMeta.ts"
import { Accounts } from "#application/accounts/Accounts.ts"
import { ProviderAnswer } from "#api/Problems.ts"
import { mostRounds, type quoteEvents, QuotesDone, QuoteStreamParameters } from "#api/QuoteStream.ts"
import { EpochMillis } from "#domain/Time.ts"
import { EventStreams } from "#application/events/EventStreams.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { QuotesArrival } from "#application/quoting/quoteArrivals.ts"
import type { CallersQuotes } from "#application/quoting/RankedQuotes.ts"
import { EventSettings, sentLastEventId, serverSentEvents } from "./serverSentEvents.ts"
import { listenerOf } from "../requests/authorise.ts"
import { type OfRequest, providerAnswer, providerProblem } from "../requests/providerProblem.ts"

/** Adds a header to the answer of the current request. */
const addHeader = (name: string, value: string) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, name, value))
  )

/** The order of a wish, or all issues of it. */
const quoteOrderOf = (wish: QuoteInput, unreadable: ReadonlyArray<string> = []) =>
  Effect.flatMap(Quoting, (quoting) => quoting.order({ ...wish, unreadable }))

const human = readBy(readerOf(QuoteParameters), quoteOrderOf)
const native = readBy(readerOf(QuoteNativeParameters), quoteOrderOf)

/** How the parameters of refused quotes are read again, to tell every issue. */
export const quoteReadings = {
  quotes: human,
  compare: human,
  quotesNative: native,
  quote: human,
  quoteNative: native,
  limits: readBy(readerOf(LimitsParameters), (wish, unreadable) => quoteOrderOf(ofPair(wish), unreadable)),
}

export const QuotesHandlers = handlersOf("quotes")(Effect.fnUntraced(function* (handlers) {
  const quoting = yield* Quoting
  const minimums = yield* Minimums

  const answer = (wish: QuoteInput, { path }: { readonly path: string }, regularOnly: boolean) =>
    Effect.gen(function* () {
      const answer = yield* quoting.answer(yield* CurrentAccount, wish, regularOnly)
      const { failures, identified, providers, sharedUntil } = answer
      const body = quotesJson(identified, answer, sharedUntil !== undefined)
      const { offer } = yield* RequestMeta
      if (sharedUntil !== undefined) offer?.({ route: path, body, until: sharedUntil, providers })
      return HttpServerResponse.setHeader(
        jsonResponse(body),
        providerStatusHeader,
        providerStatus(providers, failures),
      )
    }).pipe(failAsProblem)

  /** Where no provider has a quote, the answer is why. */
  const quotesOrWhy = (caller: Caller, order: QuotesRequest) =>
    Effect.catchTag(
      quoting.quotes(caller, order),
      "QuotesFailed",
      ({ providers: failures }) =>
        Effect.map(currentMillis, (at) => ({
          identified: { by: order.rank ?? "net", quotes: [] },
          failures,
          providers: failures.map(({ provider }) => provider),
          beginnings: new Map(),
          commissionBps: undefined,
          hasBoostPrice: false,
          prices: new Map(),
          at,
        })),
    )

  const compare = Effect.fnUntraced(function* (wish: QuoteInput) {
    const order = yield* accept([], yield* quoting.order(wish, yield* CurrentAccount))
    const caller = yield* CurrentAccount
    const [answer, least] = yield* Effect.all(
      [quotesOrWhy(caller, order), minimums.of(caller, order)],
      { concurrency: 2 },
    ).pipe(Effect.provideService(CallUrgency, "search"))
    const { failures, identified: answered, providers } = answer
    yield* addHeader(providerStatusHeader, providerStatus(providers, failures))
    const { sourceAsset } = order
    return presentComparison({ answered, failures, providers, sourceAsset, least, terms: answer }, {
      traceId: yield* traceId,
    })
  })

  const limits = Effect.fnUntraced(function* (wish: QuoteInput) {
    const order = yield* accept([], yield* quoting.order(ofPair(wish), yield* CurrentAccount))
    const { failures, found, providers } = yield* quoting.limits(yield* CurrentAccount, order)
    yield* addHeader(providerStatusHeader, providerStatus(providers, failures))
    return { limits: found.map(presentLimits(order)) }
  })

  const explain = Effect.fnUntraced(function* (quoteId: string) {
    const { id } = yield* CurrentAccount
    const found = Option.getOrUndefined(yield* quoting.explain(id, quoteId))
    if (found === undefined) return yield* new QuoteUnknown({ detail: "There is no such quote" })
    if (found === "over") return yield* new ExplanationExpired()
    if (found === "elsewhere") {
      return yield* new QuoteUnknown({
        detail:
          "The order of this quote's answer is explained by the process that gave it, which shared it with no other",
      })
    }
    return presentExplanation(QuoteId.make(quoteId), found)
  })

  return handlers.handleAll({
    quotes: ({ query, endpoint }) => answer(query, endpoint, false),
    quotesNative: ({ query, endpoint }) => answer(query, endpoint, false),
    compare: ({ query }) => failAsProblem(compare(query)),
    limits: ({ query }) => failAsProblem(limits(query)),
    explanation: ({ params }) => failAsProblem(explain(params.quoteId)),
    quote: ({ query, endpoint }) => answer(query, endpoint, true),
    quoteNative: ({ query, endpoint }) => answer(query, endpoint, true),
  })
}))

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
interface Rounds<A, E, T> {
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

export const QuoteStreamHandlers = handlersOf("quoteStream")(Effect.fnUntraced(function* (handlers) {
  const quoting = yield* Quoting
  const streams = yield* EventStreams
  const accounts = yield* Accounts
  const { heartbeat } = yield* EventSettings

  const stream = Effect.fnUntraced(
    function* ({ refreshSeconds, ...wish }: typeof QuoteStreamParameters.Type) {
      const known = yield* accept([], yield* sentLastEventId)
      const order = yield* accept([], yield* quoting.order(wish, yield* CurrentAccount))
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
}))

/** The end of a stream whose providers may not be asked again. */
const ended = (code: string | undefined): StreamEvent => ({
  event: "done",
  data: writeDone({ quoteCount: 0, ...optionalMembers(code, (reason) => ({ reason })) }),
})
