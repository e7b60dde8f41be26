import { Effect, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { effectiveCommission } from "../accounts/CommissionPolicy.ts"
import { requireRoute } from "../accounts/RouteAccess.ts"
import { Api } from "../api/Api.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { Bps } from "../domain/Bps.ts"
import type { Quote } from "../domain/Quote.ts"
import { Registry } from "../providers/Registry.ts"
import type { QuoteOrder } from "../quoting/QuoteOrder.ts"
import { Quoting } from "../quoting/Quoting.ts"
import { quotesJson } from "./present/quotesJson.ts"
import { orProblem } from "./problemResponse.ts"
import { readQuoteNativeOrder, readQuoteOrder } from "./readQuoteOrder.ts"

const jsonResponse = (text: string) => HttpServerResponse.text(text, { contentType: "application/json" })

const isRegular = (quote: Quote): boolean => quote.dca === undefined

export const QuotesHandlers = HttpApiBuilder.group(
  Api,
  "quotes",
  Effect.fnUntraced(function* (handlers) {
    const quoting = yield* Quoting
    const registry = yield* Registry

    const quotesFor = Effect.fnUntraced(function* ({ commissionBps, platform, ...order }: QuoteOrder) {
      const account = yield* CurrentAccount
      yield* requireRoute(account, "quote", order)
      const override = Option.map(Option.fromUndefinedOr(commissionBps), (bps) => Bps.make(bps))
      return yield* quoting.quotes(
        { ...order, commissionBps: effectiveCommission(account, override) },
        platform,
      )
    })

    const answer = (read: typeof readQuoteOrder, wanted: (quote: Quote) => boolean) =>
      read.pipe(
        Effect.flatMap(quotesFor),
        Effect.map((quotes) => jsonResponse(quotesJson(quotes.filter(wanted)))),
        orProblem,
        Effect.provideService(Registry, registry),
      )

    return handlers.handleAll({
      quotes: () => answer(readQuoteOrder, () => true),
      quotesNative: () => answer(readQuoteNativeOrder, () => true),
      quote: () => answer(readQuoteOrder, isRegular),
      quoteNative: () => answer(readQuoteNativeOrder, isRegular),
    })
  }),
)
