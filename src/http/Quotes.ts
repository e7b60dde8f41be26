import { Effect, Option } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { QuoteNativeParameters, QuoteParameters } from "../api/Quotes.ts"
import { CurrentAccount } from "../api/Authorization.ts"
import type { Caller } from "../domain/Account.ts"
import { QuoteId } from "../domain/BoundQuote.ts"
import { CallUrgency } from "../platform/Budget.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { Registry } from "../providers/Registry.ts"
import { Minimums } from "../quoting/Minimums.ts"
import { QuoteIds } from "../quoting/QuoteIds.ts"
import { type QuoteOrder, quoteOrder, type QuoteWish } from "../quoting/QuoteOrder.ts"
import { commissionOf, Quoting } from "../quoting/Quoting.ts"
import { AddressPolicy } from "../swapping/AddressPolicy.ts"
import { accept, readBy, readerOf } from "../requests/parameterIssues.ts"
import { ExplanationOver, QuoteUnknown } from "../requests/HttpFailure.ts"
import { identifyQuotes } from "../requests/identifyQuotes.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { presentComparison, presentExplanation } from "../requests/present/comparison.ts"
import { providerStatus, providerStatusHeader } from "../requests/present/providerStatus.ts"
import { quotesJson } from "../requests/present/quotes.ts"
import { orProblem } from "../requests/orProblem.ts"
import { RequestMeta } from "../requests/RequestMeta.ts"
import { traceId } from "../requests/traceId.ts"

/** Adds a header to the answer of the current request. */
const addHeader = (name: string, value: string) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, name, value))
  )

/** The order of a wish, or all issues of it. `platform` may name the providers that are enabled now. */
export const quoteOrderOf = Effect.fnUntraced(function* (wish: QuoteWish) {
  const providers = yield* (yield* Registry).enabled
  const { networks } = yield* AddressPolicy
  return quoteOrder(wish, { platforms: providers.map(({ name }) => name), networks })
})

const human = readBy(readerOf(QuoteParameters), quoteOrderOf)
const native = readBy(readerOf(QuoteNativeParameters), quoteOrderOf)

/** How the parameters of refused quotes are read again, to tell every issue. */
export const quoteReadings = {
  quotes: human,
  compare: human,
  quotesNative: native,
  quote: human,
  quoteNative: native,
}

export const QuotesHandlers = HttpApiBuilder.group(
  Api,
  "quotes",
  Effect.fnUntraced(function* (handlers) {
    const quoting = yield* Quoting
    const ids = yield* QuoteIds
    const minimums = yield* Minimums
    const registry = yield* Registry
    const addresses = yield* AddressPolicy

    const answerTo = Effect.fnUntraced(function* (wish: QuoteWish, regularOnly: boolean) {
      const order = yield* accept([], yield* quoteOrderOf(wish))
      const caller = yield* CurrentAccount
      const answer = yield* quoting.quotes(caller, { ...order, regularOnly })
      return { answer, identified: identifyQuotes(ids, caller.id, answer, yield* currentMillis) }
    })

    const answer = (
      wish: QuoteWish,
      { path }: { readonly path: string },
      regularOnly: boolean,
    ) =>
      answerTo(wish, regularOnly).pipe(
        Effect.flatMap(({ answer, identified }) =>
          Effect.map(RequestMeta, ({ offer }) => {
            const { failures, providers, sharedUntil } = answer
            const body = quotesJson(identified, answer, sharedUntil !== undefined)
            if (sharedUntil !== undefined) offer?.({ route: path, body, until: sharedUntil, providers })
            return HttpServerResponse.setHeader(
              jsonResponse(body),
              providerStatusHeader,
              providerStatus(providers, failures),
            )
          })
        ),
        orProblem,
        Effect.provideService(Registry, registry),
        Effect.provideService(AddressPolicy, addresses),
      )

    /** Where no provider has a quote, the answer is why. */
    const quotesOrWhy = Effect.fnUntraced(function* (caller: Caller, order: QuoteOrder) {
      const by = order.rank ?? "net"
      return yield* quoting.quotes(caller, order).pipe(
        Effect.flatMap((answer) =>
          Effect.map(currentMillis, (at) => ({
            ...answer,
            answered: identifyQuotes(ids, caller.id, answer, at),
          }))
        ),
        Effect.catchTag("QuotesFailed", ({ providers: failures }) =>
          Effect.succeed({
            answered: { by, quotes: [] },
            failures,
            providers: failures.map(({ provider }) => provider),
            beginnings: new Map(),
            commissionBps: undefined,
          })),
      )
    })

    const compare = Effect.fnUntraced(function* (wish: QuoteWish) {
      const order = yield* accept([], yield* quoteOrderOf(wish))
      const caller = yield* CurrentAccount
      const request = { ...order, commissionBps: commissionOf(caller, order) }
      const compared = quotesOrWhy(caller, order)
      const least = minimums.of(caller.id, request, order)
      const [answer, found] = yield* Effect.all([compared, least], { concurrency: 2 }).pipe(
        Effect.provideService(CallUrgency, "search"),
      )
      const { sourceAsset } = order
      const parts = { ...answer, sourceAsset, least: found, terms: answer }
      yield* addHeader(providerStatusHeader, providerStatus(answer.providers, answer.failures))
      return presentComparison(parts, { traceId: yield* traceId })
    })

    const explain = Effect.fnUntraced(function* (quoteId: string) {
      const { id } = yield* CurrentAccount
      const found = Option.getOrUndefined(yield* ids.explain(id, quoteId, yield* currentMillis))
      if (found === undefined) return yield* new QuoteUnknown({ detail: "There is no such quote" })
      if (found === "over") return yield* new ExplanationOver()
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
      compare: ({ query }) =>
        compare(query).pipe(
          orProblem,
          Effect.provideService(Registry, registry),
          Effect.provideService(AddressPolicy, addresses),
        ),
      explanation: ({ params }) => orProblem(explain(params.quoteId)),
      quote: ({ query, endpoint }) => answer(query, endpoint, true),
      quoteNative: ({ query, endpoint }) => answer(query, endpoint, true),
    })
  }),
)
