import { Effect, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { effectiveCommission } from "../accounts/CommissionPolicy.ts"
import { Api } from "../api/Api.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { Bps } from "../domain/Bps.ts"
import type { Quote } from "../domain/Quote.ts"
import { Registry } from "../providers/Registry.ts"
import type { QuoteWish } from "../quoting/QuoteOrder.ts"
import { Quoting } from "../quoting/Quoting.ts"
import { quotesJson } from "./present/quotesJson.ts"
import { orProblem } from "./problemResponse.ts"
import { acceptQuoteOrder } from "./readQuoteOrder.ts"

const jsonResponse = (text: string) => HttpServerResponse.text(text, { contentType: "application/json" })

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
      const override = Option.map(Option.fromUndefinedOr(commissionBps), (bps) => Bps.make(bps))
      return yield* quoting.quotes(
        { ...order, commissionBps: effectiveCommission(account, override) },
        platform,
      )
    })

    const all = (wish: QuoteWish) =>
      quotesFor(wish).pipe(
        Effect.map((quotes) => jsonResponse(quotesJson(quotes))),
        orProblem,
        Effect.provideService(Registry, registry),
      )

    const regular = (wish: QuoteWish) =>
      quotesFor(wish).pipe(
        Effect.map((quotes) => jsonResponse(quotesJson(quotes.filter(isRegular)))),
        orProblem,
        Effect.provideService(Registry, registry),
      )

    return handlers.handleAll({
      quotes: ({ query }) => all(query),
      quotesNative: ({ query }) => all(query),
      quote: ({ query }) => regular(query),
      quoteNative: ({ query }) => regular(query),
    })
  }),
)
