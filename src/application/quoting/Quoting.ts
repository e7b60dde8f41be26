import { Array, Clock, Effect, Result, Stream } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { requireRoute, type RouteDenied } from "../accounts/RouteRules.ts"
import { effectiveCommission, ownTolerance, providersOf } from "../accounts/accountTerms.ts"
import type { AccountId, Caller } from "#domain/accounts/Account.ts"
import type { Bps } from "#domain/money/Bps.ts"
import type { Network } from "#domain/chains/Chain.ts"
import { InvalidRequest } from "#domain/Issues.ts"
import { CallRecorder } from "#infrastructure/ops/CallRecorder.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import type { Quote, QuoteRequest } from "#domain/quotes/Quote.ts"
import type { SwapAmount } from "#domain/quotes/ExactOutput.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { UsdPrices } from "#domain/money/UsdValue.ts"
import { EpochMillis } from "#domain/Time.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import { Registry } from "#providers/Registry.ts"
import { quoteArrivals, tapLast } from "./quoteArrivals.ts"
import { noProvider, NoProviderAvailable, orWhyNone, QuotesFailed } from "./Outcome.ts"
import {
  answerFrom,
  type AskedProviders,
  barredFor,
  type CallOptions,
  cancelAll,
  makeCalls,
  noneBarred,
} from "./calls.ts"
import { CallUrgency } from "#infrastructure/platform/Budget.ts"
import { makePairLimits } from "./PairLimits.ts"
import { QuoteIds } from "./QuoteIds.ts"
import { orderFor, type QuoteInput, quoteOrder, type QuotesRequest } from "./QuotesRequest.ts"
import {
  bestOf,
  type CallersQuotes,
  type QuoteSelection,
  type RankedQuotes,
  together,
} from "./RankedQuotes.ts"
import { TrackRecords } from "./TrackRecords.ts"

export { NoProviderAvailable, QuotesFailed }

export interface QuotingOptions extends CallOptions {
  /** The networks whose addresses are accepted. */
  readonly networks: ReadonlyArray<Network>
}

/** Why there are no quotes for a caller. */
export type NotQuoted = RouteDenied | QuotesFailed | NoProviderAvailable

/** Quotes of every provider that can serve a request, in one ranked answer. Asking opens and reserves nothing. */
export class Quoting extends service<Quoting>()(
  "swap-broker/quoting/Quoting",
  (options: QuotingOptions) =>
    Effect.gen(function* () {
      const registry = yield* Registry
      const recorder = yield* CallRecorder
      const records = yield* TrackRecords
      const ids = yield* QuoteIds
      const clock = yield* Clock.Clock
      const { ask, begin, gather } = yield* makeCalls(options)
      const limitsAt = yield* makePairLimits(options)

      const recordOf = ({ egress, ingress, platform }: Quote) =>
        records.of(platform, ingress.asset, egress.asset)

      const now = () => EpochMillis.make(clock.currentTimeMillisUnsafe())

      // `Prices` derives some of quotes, so it stands above and leaves here what it knows.
      let prices: UsdPrices = new Map()

      /** Counts whose offers are in a list that a caller gets, and whose pays the most, where several were asked. */
      const countOffers = ({ ranking: { best, given, preference } }: RankedQuotes): void => {
        if (preference.length < 2 || best === undefined) return
        recorder.offers(new Set(given.map(({ platform }) => platform)), best.platform, now())
      }

      const ranked = (asked: AskedProviders, wanted: QuoteSelection = {}) =>
        Effect.flatMap(
          ask(asked),
          ({ answers, sharedUntil }) =>
            Effect.map(orWhyNone(answers), () => together({ asked, answers, sharedUntil }, wanted, recordOf)),
        ).pipe(lightSpan("Quoting.quotes"))

      const allowed = (
        caller: Caller,
        { commissionBps: wished, platform, rank, regularOnly, start = "channel", ...pair }: QuotesRequest,
      ): Effect.Effect<Allowed, RouteDenied> =>
        Effect.flatMap(Effect.andThen(requireRoute(caller, "quote", pair), registry.enabled), (enabled) => {
          const commissionBps = effectiveCommission(caller, wished)
          const providers = providersOf(caller, enabled)
            .filter(({ name }) => platform === undefined || name === platform)
          const wish = { request: { ...pair, commissionBps }, providers, start }
          return Effect.map(barredFor(caller.id, wish), (barred) => ({
            asked: { ...wish, barred },
            wanted: { rank, regularOnly, choice: caller.providers, toleranceMost: ownTolerance(caller) },
            ownCommissionBps: wished === undefined ? undefined : commissionBps,
          }))
        })

      /** The answer as the caller is shown it: with ids, which hold the whole commission. */
      const shown = (
        { boostEstimatedPrice: hasBoostPrice = false, id: account }: Caller,
        { asked, ownCommissionBps }: Allowed,
        answer: RankedQuotes,
        issuing?: "anew",
      ): CallersQuotes => {
        const { ranking } = answer
        const { commissionBps } = asked.request
        const at = now()
        const issued = ids.issue({ account, ranking, commissionBps, at }, issuing)
        const quotes = Array.zipWith(ranking.ranked, issued, (ranked, id) => ({ id, ranked }))
        const identified = { by: ranking.by, quotes }
        return { ...answer, identified, commissionBps: ownCommissionBps, hasBoostPrice, prices, at }
      }

      /** Asks enabled providers, or the named one, at the account's commission; fails with `RouteDenied`. */
      const quotes = (caller: Caller, order: QuotesRequest, issuing?: "anew") =>
        Effect.flatMap(
          allowed(caller, order),
          (allowance) =>
            Effect.map(ranked(allowance.asked, allowance.wanted), (answer) => {
              countOffers(answer)
              return shown(caller, allowance, answer, issuing)
            }),
        )

      /** The limits of an order's pair at each provider that has it, whatever the order's amount. Fails as `quotes` does. */
      const limits = Effect.fnUntraced(function* (caller: Caller, order: QuotesRequest) {
        const { asked } = yield* allowed(caller, order)
        const answers = yield* Effect.forEach(
          asked.providers,
          (provider) => Effect.result(limitsAt(provider, asked)),
          { concurrency: "unbounded" },
        )
        yield* orWhyNone(answers.map(Result.map(() => [])))
        const [found, failures] = Array.partition(answers, (answer) => answer)
        return { found, failures, providers: asked.providers.map(({ name }) => name) }
      }, Effect.provideService(CallUrgency, "search"))

      /** The best quote of a checked swap, for decisions of the service; it counts for no provider. */
      const best = Effect.fnUntraced(function* (
        caller: Caller,
        request: SwapRequest,
        amount: SwapAmount,
        able: ReadonlyArray<ProviderName>,
      ) {
        const platform = able.length === 1 ? able[0] : undefined
        const { asked } = yield* allowed(caller, { ...orderFor(request, amount), platform })
        return yield* Effect.fromResult(bestOf(yield* ranked(asked), able, request.dca))
      })

      /** The order of a wish, or all issues of it. `platform` may name the providers that are enabled now, and the caller may use. */
      const order = (wish: QuoteInput, caller?: Caller) =>
        Effect.map(registry.enabled, (enabled) =>
          quoteOrder(wish, {
            platforms: (caller === undefined ? enabled : providersOf(caller, enabled)).map(({ name }) =>
              name
            ),
            networks: options.networks,
          }))

      /** The answer to a caller's wish, of regular quotes alone where those in chunks are not wanted. */
      const answer = (caller: Caller, wish: QuoteInput, regularOnly: boolean) =>
        Effect.flatMap(
          order(wish, caller),
          (accepted): Effect.Effect<CallersQuotes, InvalidRequest | NotQuoted> =>
            Result.isFailure(accepted)
              ? Effect.fail(new InvalidRequest({ errors: accepted.failure }))
              : quotes(caller, { ...accepted.success, regularOnly }),
        )

      /** As `quotes`, streaming each provider's answer as it arrives; never fails and ends with `Done`. */
      const arriving = Effect.fnUntraced(function* (caller: Caller, order: QuotesRequest) {
        const allowance = yield* allowed(caller, order)
        const { asked, wanted } = allowance
        if (asked.providers.length === 0) return yield* noProvider
        // The stream is read where nobody says any more whose request it is.
        const waiting = Effect.acquireRelease(
          Effect.provideService(begin(asked), OnBehalfOf, caller.id),
          (waiters) => cancelAll([...waiters.values()]),
        )
        return Stream.unwrap(Effect.map(waiting, (waiters) =>
          quoteArrivals({
            providers: asked.providers,
            answered: waiters.size === 0 ? Stream.empty : gather.oneByOne(waiters),
            answerOf: (provider) => answerFrom(waiters, provider, asked),
            together: (answers) =>
              shown(
                caller,
                allowance,
                together({ asked, answers, sharedUntil: undefined }, wanted, recordOf),
              ),
          }).pipe(tapLast(countOffers))))
      })

      /** Why a quote that an account was given stands where it does; nothing where it was given none by this id. */
      const explain = (account: AccountId, id: string) =>
        Effect.suspend(() => ids.explain(account, id, now()))

      /** Asks all enabled providers for the service itself, under no account's rules. */
      const ofAll = (request: QuoteRequest) =>
        Effect.flatMap(
          registry.enabled,
          (providers) => ranked({ request, providers, start: "any", barred: noneBarred }),
        )

      return {
        order,
        answer,
        quotes,
        limits,
        best,
        arriving,
        /** The quote of an id, by which a swap can be opened; nothing where it was not given to this account. */
        boundQuote: ids.open,
        explain,
        ofAll,
        /** Keeps the prices that are known now. */
        keepPrices: (known: UsdPrices) =>
          Effect.sync(() => {
            prices = known
          }),
      }
    }),
) {}

/** What an order asks of whom, by the rules of the caller's account. */
interface Allowed {
  readonly asked: AskedProviders
  readonly wanted: QuoteSelection
  /** The commission that the caller asked for, raised to the account's. */
  readonly ownCommissionBps: Bps | undefined
}
