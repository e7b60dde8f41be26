import { Effect } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { QuoteNativeParameters, QuoteParameters } from "../api/Quotes.ts"
import { CurrentAccount } from "../api/Authorization.ts"
import type { Quote } from "../domain/Quote.ts"
import { Registry } from "../providers/Registry.ts"
import { quoteOrder, type QuoteWish } from "../quoting/QuoteOrder.ts"
import { Quoting } from "../quoting/Quoting.ts"
import { AddressPolicy } from "../swapping/AddressPolicy.ts"
import { accept, readBy, readerOf } from "./explain.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { providerStatus, providerStatusHeader } from "./present/providerStatus.ts"
import { quotesJson } from "./present/quotes.ts"
import { orProblem } from "./orProblem.ts"
import { RequestMeta } from "./server/RequestMeta.ts"

/** The order of a wish, or all issues of it. `platform` may name the providers that are enabled now. */
const quoteOrderOf = Effect.fnUntraced(function* (wish: QuoteWish) {
  const providers = yield* (yield* Registry).enabled
  const { networks } = yield* AddressPolicy
  return quoteOrder(wish, { platforms: providers.map(({ name }) => name), networks })
})

const human = readBy(readerOf(QuoteParameters), quoteOrderOf)
const native = readBy(readerOf(QuoteNativeParameters), quoteOrderOf)

/** How the parameters of refused quotes are read again, to tell every issue. */
export const quoteReadings = { quotes: human, quotesNative: native, quote: human, quoteNative: native }

const isRegular = (quote: Quote): boolean => quote.dca === undefined

export const QuotesHandlers = HttpApiBuilder.group(
  Api,
  "quotes",
  Effect.fnUntraced(function* (handlers) {
    const quoting = yield* Quoting
    const registry = yield* Registry
    const addresses = yield* AddressPolicy

    const quotesFor = Effect.fnUntraced(function* (wish: QuoteWish) {
      const order = yield* accept([], yield* quoteOrderOf(wish))
      return yield* quoting.quotes(yield* CurrentAccount, order)
    })

    const answer = (
      wish: QuoteWish,
      { path }: { readonly path: string },
      wanted: (quotes: ReadonlyArray<Quote>) => ReadonlyArray<Quote>,
    ) =>
      quotesFor(wish).pipe(
        Effect.flatMap(({ quotes, sharedUntil, ...ranked }) =>
          Effect.map(RequestMeta, ({ offer }) => {
            const { failures, providers } = ranked
            const body = quotesJson(wanted(quotes), ranked, sharedUntil !== undefined)
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

    const all = (quotes: ReadonlyArray<Quote>) => quotes
    const regular = (quotes: ReadonlyArray<Quote>) => quotes.filter(isRegular)

    return handlers.handleAll({
      quotes: ({ query, endpoint }) => answer(query, endpoint, all),
      quotesNative: ({ query, endpoint }) => answer(query, endpoint, all),
      quote: ({ query, endpoint }) => answer(query, endpoint, regular),
      quoteNative: ({ query, endpoint }) => answer(query, endpoint, regular),
    })
  }),
)
