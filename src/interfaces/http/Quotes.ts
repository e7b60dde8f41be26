import { Effect, Option } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api.ts"
import { QuoteNativeParameters, QuoteParameters } from "#api/Quotes.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import type { Caller } from "#domain/accounts/Account.ts"
import { QuoteId } from "#domain/quotes/BoundQuote.ts"
import { CallUrgency } from "#infrastructure/platform/Budget.ts"
import { Minimums } from "#application/quoting/Minimums.ts"
import type { QuoteInput, QuotesRequest } from "#application/quoting/QuotesRequest.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import { accept, readBy, readerOf } from "../requests/parameterIssues.ts"
import { ExplanationExpired, QuoteUnknown } from "../requests/HttpFailure.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { presentComparison, presentExplanation } from "../requests/present/comparison.ts"
import { providerStatus, providerStatusHeader } from "../requests/present/providerStatus.ts"
import { quotesJson } from "../requests/present/quotes.ts"
import { failAsProblem, traceId } from "../requests/failAsProblem.ts"
import { RequestMeta } from "../requests/RequestMeta.ts"

/** Adds a header to the answer of the current request. */
const addHeader = (name: string, value: string) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, name, value))
  )

/** The order of a wish, or all issues of it. */
export const quoteOrderOf = (wish: QuoteInput, unreadable: ReadonlyArray<string> = []) =>
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
}

export const QuotesHandlers = HttpApiBuilder.group(
  Api,
  "quotes",
  Effect.fnUntraced(function* (handlers) {
    const quoting = yield* Quoting
    const minimums = yield* Minimums

    const answer = (
      wish: QuoteInput,
      { path }: { readonly path: string },
      regularOnly: boolean,
    ) =>
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
          Effect.succeed({
            identified: { by: order.rank ?? "net", quotes: [] },
            failures,
            providers: failures.map(({ provider }) => provider),
            beginnings: new Map(),
            commissionBps: undefined,
          }),
      )

    const compare = Effect.fnUntraced(function* (wish: QuoteInput) {
      const order = yield* accept([], yield* quoting.order(wish))
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
      explanation: ({ params }) => failAsProblem(explain(params.quoteId)),
      quote: ({ query, endpoint }) => answer(query, endpoint, true),
      quoteNative: ({ query, endpoint }) => answer(query, endpoint, true),
    })
  }),
)
