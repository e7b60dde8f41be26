import { Effect, Option } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { effectiveCommission } from "../accounts/CommissionPolicy.ts"
import { requireRoute } from "../accounts/RouteAccess.ts"
import { Api } from "../api/Api.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { Bps } from "../domain/Bps.ts"
import type { Quote } from "../domain/Quote.ts"
import { Registry } from "../providers/Registry.ts"
import type { QuoteWish } from "../quoting/QuoteOrder.ts"
import { Quoting } from "../quoting/Quoting.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { providerStatus, providerStatusHeader } from "./present/providerStatus.ts"
import { quotesJson } from "./present/quotes.ts"
import { orProblem } from "./problemResponse.ts"
import { acceptQuoteOrder } from "./readQuoteOrder.ts"
import { Received } from "./Received.ts"

const isRegular = (quote: Quote): boolean => quote.dca === undefined

export const QuotesHandlers = HttpApiBuilder.group(
  Api,
  "quotes",
  Effect.fnUntraced(function* (handlers) {
    const quoting = yield* Quoting
    const registry = yield* Registry

    const quotesFor = Effect.fnUntraced(function* (wish: QuoteWish) {
      const { commissionBps, platform, ...order } = yield* acceptQuoteOrder(wish)
      const account = yield* CurrentAccount
      yield* requireRoute(account, "quote", order)
      const override = Option.map(Option.fromUndefinedOr(commissionBps), (bps) => Bps.make(bps))
      const effective = effectiveCommission(account, override)
      const ranked = yield* quoting.quotes({ ...order, commissionBps: effective }, platform)
      return { ...ranked, commissionBps: Option.isSome(override) ? effective : undefined }
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
            const body = quotesJson(wanted(quotes), ranked)
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
