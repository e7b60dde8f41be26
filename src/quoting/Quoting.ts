import { Array, type BigDecimal, Context, Duration, Effect, Layer, Option, Result, Stream } from "effect"
import { effectiveCommission, requireRoute, type RouteDenied } from "../accounts/terms.ts"
import type { Caller } from "../domain/Account.ts"
import { Bps } from "../domain/Bps.ts"
import type { ProviderError } from "../domain/ProviderError.ts"
import { CallRecorder } from "../ops/CallRecorder.ts"
import { OnBehalfOf } from "../platform/Bulkhead.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { Quote, QuoteRequest, TimedQuote } from "../domain/Quote.ts"
import type { Start } from "../domain/Start.ts"
import { EpochMillis } from "../domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { lightSpan } from "../platform/lightSpan.ts"
import { asQuotable } from "../providers/Capabilities.ts"
import type { Provider } from "../providers/Provider.ts"
import { Registry } from "../providers/Registry.ts"
import { cancelAll, cannotQuote, failureOf, keyOf, quotesOf, sharedUntil } from "./calls.ts"
import { arrivals, type QuotesArrival, tapLast } from "./arrivals.ts"
import { type Answer, outcome } from "./Outcome.ts"
import { noProvider, NoProviderAvailable, QuotesFailed } from "./failures.ts"
import { completed } from "./complete.ts"
import {
  answerFrom,
  type Asked,
  barredFor,
  beginningsOf,
  noneBarred,
  type Waiters,
  withoutUnlisted,
} from "./leftOut.ts"
import type { QuoteOrder } from "./QuoteOrder.ts"
import { type GatherTimeouts, makeGather } from "./gather.ts"
import { rank, type Ranking } from "./Ranking.ts"
import { makeSingleFlight, refusedWaiter, type ReuseTimes, type Waiter } from "./SharedCalls.ts"
import { TrackRecords } from "./TrackRecords.ts"

export { NoProviderAvailable, QuotesFailed }

export interface QuotingOptions extends GatherTimeouts {
  readonly reuse: ReuseTimes
  /** How long a quote is good for where its provider says nothing. */
  readonly lifetime: Duration.Duration
  /** The most that a provider's recommendation takes off the price limit, in percent. */
  readonly toleranceMost: BigDecimal.BigDecimal
}

/** How a provider begins the swap of a quote. */
export interface Beginning {
  /** Whether the provider has to know the amount before it opens a channel. */
  readonly needsAmount: boolean
  /** The ways in which it begins swaps, that which the caller wants first. */
  readonly starts: ReadonlyArray<Start>
}

/** The answer of the providers to a request. */
export interface RankedQuotes {
  /** The best quote first. */
  readonly quotes: ReadonlyArray<TimedQuote>
  /** Their order, with all that decided on it. */
  readonly ranking: Ranking
  /** The providers that were asked or left out, in the operator's order. */
  readonly providers: ReadonlyArray<ProviderName>
  /** Why some of the providers have no quote; `OtherStart` of those that were left out. */
  readonly failures: ReadonlyArray<ProviderError>
  /** How the providers that were asked begin the swap. */
  readonly beginnings: ReadonlyMap<ProviderName, Beginning>
  /**
   * The time until which calls of others answer this request, in epoch milliseconds. Absent where this request
   * called a provider itself, or a provider gave no answer that can be shared.
   */
  readonly sharedUntil: number | undefined
}

/** The answer to a caller's order. */
export interface CallersQuotes extends RankedQuotes {
  /** The whole commission that the figures hold. */
  readonly effectiveCommissionBps: Bps
  /** The commission that the quotes are priced with; undefined where the caller asked for none of its own. */
  readonly commissionBps: Bps | undefined
}

/** Quotes of every provider that can serve a request, in one ranked answer. Asking opens and reserves nothing. */
export class Quoting extends Context.Service<Quoting, {
  /**
   * Asks all enabled providers at once, or only the named one, with the commission of the caller's account. Fails
   * with `RouteDenied` where the account may not swap the pair.
   */
  readonly quotes: (
    caller: Caller,
    order: QuoteOrder,
  ) => Effect.Effect<CallersQuotes, RouteDenied | QuotesFailed | NoProviderAvailable>
  /** Asks as `quotes` does, for the service to decide by: nobody is shown the list, and it counts for no provider. */
  readonly unshown: (
    caller: Caller,
    order: QuoteOrder,
  ) => Effect.Effect<CallersQuotes, RouteDenied | QuotesFailed | NoProviderAvailable>
  /**
   * Asks as `quotes` does, and tells what each provider says as soon as it does. The stream fails for nothing and ends
   * with `Done`; who stops listening waits for no provider any more.
   */
  readonly arriving: (
    caller: Caller,
    order: QuoteOrder,
  ) => Effect.Effect<Stream.Stream<QuotesArrival<CallersQuotes>>, RouteDenied | NoProviderAvailable>
  /** Asks all enabled providers for the service itself, under no account's rules. */
  readonly ofAll: (request: QuoteRequest) => Effect.Effect<RankedQuotes, QuotesFailed | NoProviderAvailable>
}>()("swap-broker/quoting/Quoting") {
  static readonly layer = (options: QuotingOptions): Layer.Layer<Quoting, never, Registry | TrackRecords> =>
    Layer.effect(
      Quoting,
      Effect.gen(function* () {
        const registry = yield* Registry
        const recorder = yield* CallRecorder
        const records = yield* TrackRecords
        const lifetime = Duration.toMillis(options.lifetime)
        const singleFlight = yield* makeSingleFlight(options.reuse)
        const gather = yield* makeGather(options)

        const timed = (quotes: ReturnType<Provider["quotes"]>) =>
          Effect.flatMap(
            quotes,
            (quotes) =>
              Effect.map(currentMillis, (now) =>
                quotes.map(completed(EpochMillis.make(now + lifetime), options.toleranceMost))),
          )

        const recordOf = ({ egress, ingress, platform }: Quote) =>
          records.of(platform, ingress.asset, egress.asset)

        /** A provider or pair that is switched off gets no reused answer either. */
        const waitFor = (provider: Provider, request: QuoteRequest) =>
          registry.mayCall(provider.name, "quote", [request.sourceAsset, request.destinationAsset]).pipe(
            Effect.andThen(keysOf(provider, request)),
            Effect.flatMap((keys) => singleFlight(keys, provider.name, timed(provider.quotes(request)))),
          )

        /** A call that waits in the line of its account is not shared: others would wait, or be refused, with it. */
        const keysOf = Effect.fnUntraced(function* (provider: Provider, request: QuoteRequest) {
          const shared = keyOf(provider, request)
          const waits = yield* registry.quotesWait(provider.name)
          return { shared, begun: waits ? `${shared} ${yield* OnBehalfOf}` : shared }
        })

        const waiterFor = (provider: Provider, request: QuoteRequest): Effect.Effect<Waiter> => {
          const error = cannotQuote(provider, request)
          return error === undefined
            ? Effect.catch(waitFor(provider, request), (error) => Effect.succeed(refusedWaiter(error)))
            : Effect.succeed(refusedWaiter(error))
        }

        /** All providers whose offers are wanted are asked before the first is waited for. */
        const begin = (asked: Asked) =>
          Effect.map(
            Effect.forEach(
              asked.providers.filter((provider) => beginningsOf(provider, asked).length > 0),
              (provider) =>
                Effect.map(
                  waiterFor(provider, asQuotable(provider.capabilities, asked.request)),
                  (waiter) => [provider, waiter] as const,
                ),
            ),
            (waiters): Waiters => new Map(waiters),
          )

        const ask = (asked: Asked) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* () {
              const waiters = yield* begin(asked)
              const waiting = [...waiters.values()]
              yield* Effect.onInterrupt(restore(gather.together(waiting)), () => cancelAll(waiting))
              const answers = yield* Effect.forEach(
                asked.providers,
                (provider) => answerFrom(waiters, provider, asked),
              )
              return { answers: yield* withoutUnlisted(answers, asked), sharedUntil: sharedUntil(waiting) }
            })
          )

        /** One answer of those that there are, which are in the operator's order. */
        const together = (
          { answers, asked, sharedUntil }: Answered,
          { rank: by = "net", regularOnly }: Wanted,
        ): RankedQuotes => {
          const found = answers.flatMap(quotesOf)
          const beginnings = new Map(
            asked.providers.map((provider) => [provider.name, beginningOf(provider, asked)]),
          )
          const preference = [...beginnings].flatMap(([name, { starts }]) => starts.length > 0 ? [name] : [])
          const given = regularOnly === true ? found.filter(isRegular) : found
          const ranking = rank(given, { by, preference, recordOf })
          return {
            quotes: ranking.ranked.map(({ quote }) => quote),
            ranking,
            providers: [...beginnings.keys()],
            failures: answers.flatMap(failureOf),
            beginnings,
            sharedUntil,
          }
        }

        /** Counts whose offers are in a list that a caller gets, and whose pays the most, where several were asked. */
        const countOffers = ({ ranking: { best, given, preference } }: RankedQuotes) =>
          preference.length < 2 || best === undefined
            ? Effect.void
            : Effect.map(currentMillis, (now) =>
              recorder.offers(new Set(given.map(({ platform }) => platform)), best.platform, now))

        const ranked = Effect.fnUntraced(
          function* (asked: Asked, wanted: Wanted = {}) {
            const { answers, sharedUntil } = yield* ask(asked)
            if (!Array.isReadonlyArrayNonEmpty(answers)) return yield* noProvider
            yield* Effect.fromResult(
              Result.mapError(
                outcome(answers),
                (failure) => new QuotesFailed({ failure, providers: answers.flatMap(failureOf) }),
              ),
            )
            return together({ asked, answers, sharedUntil }, wanted)
          },
          lightSpan("Quoting.quotes"),
        )

        /** What an order asks of whom, by the rules of the caller's account. */
        const allowed = Effect.fnUntraced(function* (caller: Caller, order: QuoteOrder) {
          const { commissionBps: wished, platform, rank, regularOnly, start = "channel", ...pair } = order
          yield* requireRoute(caller, "quote", pair)
          const commissionBps = commissionOf(caller, order)
          const providers = platform === undefined
            ? yield* registry.enabled
            : Option.toArray(yield* registry.find(platform))
          const terms = {
            commissionBps: wished === undefined ? undefined : commissionBps,
            effectiveCommissionBps: commissionBps,
          }
          const wish = { request: { ...pair, commissionBps }, providers, start }
          const asked: Asked = { ...wish, barred: yield* barredFor(caller.id, wish) }
          return { asked, wanted: { rank, regularOnly }, terms }
        })

        const unshown = Effect.fnUntraced(function* (caller: Caller, order: QuoteOrder) {
          const { asked, terms, wanted } = yield* allowed(caller, order)
          return { ...yield* ranked(asked, wanted), ...terms }
        })

        const quotes = (caller: Caller, order: QuoteOrder) => Effect.tap(unshown(caller, order), countOffers)

        const arriving = Effect.fnUntraced(function* (caller: Caller, order: QuoteOrder) {
          const { asked, terms, wanted } = yield* allowed(caller, order)
          if (asked.providers.length === 0) return yield* noProvider
          // The stream is read where nobody says any more whose request it is.
          const waiting = Effect.acquireRelease(
            Effect.provideService(begin(asked), OnBehalfOf, caller.id),
            (waiters) => cancelAll([...waiters.values()]),
          )
          return Stream.unwrap(Effect.map(waiting, (waiters) =>
            arrivals({
              providers: asked.providers,
              answered: waiters.size === 0 ? Stream.empty : gather.oneByOne(waiters),
              answerOf: (provider) => answerFrom(waiters, provider, asked),
              together: (answers) => ({
                ...together({ asked, answers, sharedUntil: undefined }, wanted),
                ...terms,
              }),
            }).pipe(tapLast(countOffers))))
        })

        const ofAll = (request: QuoteRequest) =>
          Effect.flatMap(
            registry.enabled,
            (providers) => ranked({ request, providers, start: "any", barred: noneBarred }),
          )

        return Quoting.of({ quotes, unshown, arriving, ofAll })
      }),
    )
}

/** The whole commission of an order (decision 7). */
export const commissionOf = (caller: Caller, { commissionBps }: QuoteOrder): Bps =>
  effectiveCommission(caller, Option.map(Option.fromUndefinedOr(commissionBps), (bps) => Bps.make(bps)))

/** What a caller wants to see of the quotes, and in which order. */
interface Wanted {
  readonly rank?: QuoteOrder["rank"] | undefined
  readonly regularOnly?: boolean | undefined
}

/** Answers to a request, and what was asked. */
interface Answered {
  readonly asked: Asked
  readonly answers: ReadonlyArray<Answer>
  readonly sharedUntil: number | undefined
}

const isRegular = (quote: Quote): boolean => quote.dca === undefined

const beginningOf = (provider: Provider, asked: Asked): Beginning => ({
  needsAmount: provider.capabilities.needsAmount,
  starts: beginningsOf(provider, asked),
})
