import { Effect } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { CurrentAccount } from "../api/Authorization.ts"
import type { Quote } from "../domain/Quote.ts"
import { Registry } from "../providers/Registry.ts"
import type { QuoteWish } from "../quoting/QuoteOrder.ts"
import { Quoting } from "../quoting/Quoting.ts"
import { accept } from "./explain.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { providerStatus, providerStatusHeader } from "./present/providerStatus.ts"
import { quotesJson } from "./present/quotes.ts"
import { orProblem } from "./orProblem.ts"
import { quoteOrderOf } from "./quoteRules.ts"
import { Received } from "./server/Received.ts"

const isRegular = (quote: Quote): boolean => quote.dca === undefined

export const QuotesHandlers = HttpApiBuilder.group(
  Api,
  "quotes",
  Effect.fnUntraced(function* (handlers) {
    const quoting = yield* Quoting
    const registry = yield* Registry

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
          Effect.map(Received, ({ offer }) => {
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
