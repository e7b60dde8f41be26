import { Effect, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { effectiveCommission } from "../accounts/CommissionPolicy.ts"
import { Api } from "../api/Api.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { Bps } from "../domain/Bps.ts"
import type { Quote } from "../domain/Quote.ts"
import { Registry } from "../providers/Registry.ts"
import type { QuoteOrder } from "../quoting/QuoteOrder.ts"
import { Quoting } from "../quoting/Quoting.ts"
import { presentQuote } from "./present/quote.ts"
import { orProblem } from "./problemResponse.ts"
import { readQuoteNativeOrder, readQuoteOrder } from "./readQuoteOrder.ts"

const isRegular = (quote: Quote): boolean => quote.dca === undefined

/** When `/quote` and `/quote-native` were deprecated, as RFC 9745 writes it: 2026-01-01. */
const deprecatedSince = "@1767225600"

/** Announces the successor of a deprecated endpoint (decision 25). */
const announceSuccessor = (path: string) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        deprecation: deprecatedSince,
        link: `<${path}>; rel="successor-version"`,
      }),
    )
  )

export const QuotesHandlers = HttpApiBuilder.group(
  Api,
  "quotes",
  Effect.fnUntraced(function* (handlers) {
    const quoting = yield* Quoting
    const registry = yield* Registry

    const quotesFor = Effect.fnUntraced(function* ({ commissionBps, platform, ...order }: QuoteOrder) {
      const account = yield* CurrentAccount
      const override = Option.map(Option.fromUndefinedOr(commissionBps), (bps) => Bps.make(bps))
      return yield* quoting.quotes(
        { ...order, commissionBps: effectiveCommission(account, override) },
        platform,
      )
    })

    const answer = (read: typeof readQuoteOrder, wanted: (quote: Quote) => boolean) =>
      read.pipe(
        Effect.flatMap(quotesFor),
        Effect.map((quotes) => quotes.filter(wanted).map(presentQuote)),
        orProblem,
        Effect.provideService(Registry, registry),
      )

    return handlers.handleAll({
      quotes: () => answer(readQuoteOrder, () => true),
      quotesNative: () => answer(readQuoteNativeOrder, () => true),
      quote: () => Effect.andThen(announceSuccessor("/quotes"), answer(readQuoteOrder, isRegular)),
      quoteNative: () =>
        Effect.andThen(announceSuccessor("/quotes-native"), answer(readQuoteNativeOrder, isRegular)),
    })
  }),
)
