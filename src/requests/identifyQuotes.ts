import { Array, Effect, Option } from "effect"
import { CurrentAccount } from "../api/Authorization.ts"
import type { AccountId } from "../domain/Account.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import type { Start } from "../domain/Start.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { QuoteIds } from "../quoting/QuoteIds.ts"
import { type CallersQuotes, Quoting } from "../quoting/Quoting.ts"
import { QuoteOver } from "../swapping/QuoteBinding.ts"
import type { SwapOrder } from "../swapping/SwapRules.ts"
import { QuoteReplaced } from "./HttpFailure.ts"
import { type Answered, presentQuote } from "./present/quotes.ts"

/** The quotes of an answer with their ids; `anew` with such as no answer had before. */
export const identifyQuotes = (
  ids: QuoteIds["Service"],
  account: AccountId,
  { effectiveCommissionBps: commissionBps, ranking }: CallersQuotes,
  at: EpochMillis,
  issuing?: "anew",
): Answered => ({
  by: ranking.by,
  quotes: Array.zipWith(
    ranking.ranked,
    ids.issue({ account, ranking, commissionBps, at }, issuing),
    (ranked, id) => ({ id, ranked }),
  ),
})

const totalCommission = ({ affiliates, commissionBps }: SwapRequest): number =>
  affiliates.reduce<number>((sum, affiliate) => sum + affiliate.commissionBps, commissionBps)

type Bound = Pick<SwapOrder, "platform" | "request">

/** Makes the function that puts a fresh quote beside one that is over or used up: of its provider, for the same request and start. */
export const makeWithFreshQuote = Effect.gen(function* () {
  const ids = yield* QuoteIds
  const quoting = yield* Quoting

  const fresh = Effect.fnUntraced(function* ({ platform, request }: Bound, start: Start) {
    if (request.quote === undefined) return undefined
    const caller = yield* CurrentAccount
    const answer = yield* quoting.quotes(caller, {
      sourceAsset: request.sourceAsset,
      destinationAsset: request.destinationAsset,
      amount: request.quote.amount,
      commissionBps: totalCommission(request),
      platform,
      start,
      sender: request.refundAddress,
      recipient: request.destinationAddress,
    })
    const { by, quotes } = identifyQuotes(ids, caller.id, answer, yield* currentMillis, "anew")
    const same = quotes.find(({ ranked: { quote } }) =>
      (quote.dca === undefined) === (request.dca === undefined)
    )
    return same === undefined ? undefined : presentQuote(same, by, answer)
  })

  return (order: Bound, start: Start) =>
  <A, E, R>(opening: Effect.Effect<A, E, R>): Effect.Effect<A, E | QuoteReplaced, R | CurrentAccount> =>
    Effect.catch(opening, (failure): Effect.Effect<never, E | QuoteReplaced, CurrentAccount> => {
      if (!(failure instanceof QuoteOver)) return Effect.fail(failure)
      return Effect.flatMap(
        Effect.option(fresh(order, start)),
        (quote) =>
          Effect.fail(
            new QuoteReplaced({ over: failure, quote: Option.getOrUndefined(quote) }),
          ),
      )
    })
})
