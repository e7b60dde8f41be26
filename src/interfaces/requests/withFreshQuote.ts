import { Effect, Option } from "effect"
import { CurrentAccount } from "#api/Authorization.ts"
import type { Start } from "#domain/swaps/Start.ts"
import { orderFor } from "#application/quoting/QuotesRequest.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import { QuoteExpired } from "#application/swapping/opening/QuoteBinding.ts"
import type { OpeningRequest } from "#application/swapping/opening/SwapRules.ts"
import { QuoteReplaced } from "./HttpFailure.ts"
import { presentQuote } from "./present/quotes.ts"

type Bound = Pick<OpeningRequest, "platform" | "request">

/** Makes the function that puts a fresh quote beside one that is over or used up: of its provider, for the same request and start. */
export const makeWithFreshQuote = Effect.map(Quoting, (quoting) => {
  const fresh = Effect.fnUntraced(function* ({ platform, request }: Bound, start: Start) {
    if (request.quote === undefined) return undefined
    const order = {
      ...orderFor(request, request.amount ?? request.quote.amount),
      platform,
      start,
      sender: request.refundAddress,
    }
    const answer = yield* quoting.quotes(yield* CurrentAccount, order, "anew")
    const { by, quotes } = answer.identified
    const same = quotes.find(({ ranked: { quote } }) =>
      (quote.dca === undefined) === (request.dca === undefined)
    )
    return same === undefined ? undefined : presentQuote(same, by, answer)
  })

  return (order: Bound, start: Start) =>
  <A, E, R>(opening: Effect.Effect<A, E, R>): Effect.Effect<A, E | QuoteReplaced, R | CurrentAccount> =>
    Effect.catch(opening, (failure): Effect.Effect<never, E | QuoteReplaced, CurrentAccount> => {
      if (!(failure instanceof QuoteExpired)) return Effect.fail(failure)
      return Effect.flatMap(
        Effect.option(fresh(order, start)),
        (quote) => Effect.fail(new QuoteReplaced({ over: failure, quote: Option.getOrUndefined(quote) })),
      )
    })
})
