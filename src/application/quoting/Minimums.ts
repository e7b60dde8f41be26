import { Deferred, Duration, Effect, Option, type Scope, Semaphore } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { effectiveCommission, providersOf } from "../accounts/accountTerms.ts"
import type { AccountId, Caller } from "#domain/accounts/Account.ts"
import { NativeAmount, wholeUnit } from "#domain/money/Amount.ts"
import { DepositBelowMinimum, type ProviderError } from "#domain/ProviderError.ts"
import { rankOf } from "#domain/reasonFacts.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { asQuotable } from "#providers/Capabilities.ts"
import type { Provider } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { beginningsOf, cannotQuote, keyOf, noneBarred } from "./calls.ts"
import type { QuotesRequest } from "./QuotesRequest.ts"
import { type AmountProbe, type LeastAmount, leastAmount, type Said } from "./leastAmount.ts"

/** How long a least amount is believed, and how long that none was found. */
const believedFor = Duration.toMillis(Duration.minutes(1))
const unknownFor = Duration.toMillis(Duration.seconds(5))

/** How long a caller waits for a search. It goes on without its caller. */
const patience = Duration.seconds(3)

/** How long a search may take. It finds nothing where that is not enough. */
const longestSearch = Duration.seconds(30)

/** The most searches at the same time, of one account that have not ended, and that are remembered or wait. */
const mostSearching = 2
const mostOfAccount = 2
const mostRemembered = 1_000

interface Search {
  readonly found: Deferred.Deferred<LeastAmount | undefined>
  /** Who asked first. */
  readonly account: AccountId
  /** The end of its use in epoch milliseconds; undefined while it is under way. */
  until: number | undefined
}

/** Whether a failure is an answer about the request. One that is not ends a search. */
const isAnswer = ({ reason }: ProviderError): boolean =>
  rankOf(reason) <= rankOf({ _tag: "AssetDisabled" }) || reason._tag === "AssetNotListed"

const saidBy = (error: ProviderError): Said | undefined => {
  const { reason } = error
  return isAnswer(error)
    ? { quotes: false, stated: reason instanceof DepositBelowMinimum ? reason.minimum : undefined }
    : undefined
}

/** What a search begins at: the same whoever asks first. */
const firstOf = (caller: Caller, order: QuotesRequest): QuoteRequest => ({
  ...order,
  amount: wholeUnit(order.sourceAsset),
  commissionBps: effectiveCommission(caller, order.commissionBps),
})

/** The key of a search: the same for all requests that are the same to each of the providers. */
const searchKey = (able: ReadonlyArray<Provider>, request: QuoteRequest): string =>
  able.map((provider) => keyOf(provider, asQuotable(provider.capabilities, request))).join("\n")

/** Minimum amounts of providers, searched on demand, once for all callers, on the service's own budget. */
export class Minimums extends service<Minimums>()(
  "swap-broker/quoting/Minimums",
  Effect.gen(function* () {
    const registry = yield* Registry
    const scope: Scope.Scope = yield* Effect.scope
    const searching = yield* Semaphore.make(mostSearching)
    const searches = new Map<string, Search>()

    const askable = (provider: Provider, request: QuoteRequest): AmountProbe => ({
      platform: provider.name,
      at: Effect.fnUntraced(function* (native: bigint) {
        const amount = NativeAmount.makeOption(native)
        if (Option.isNone(amount)) return { quotes: false }
        const asked = { ...asQuotable(provider.capabilities, request), amount: amount.value }
        const { destinationAsset, sourceAsset } = asked
        return yield* registry.mayCall(provider.name, "quote", [sourceAsset, destinationAsset]).pipe(
          Effect.andThen(provider.quotes(asked)),
          Effect.match({
            onSuccess: (quotes): Said | undefined => ({ quotes: quotes.length > 0 }),
            onFailure: saidBy,
          }),
        )
      }),
    })

    const ableTo = (
      caller: Caller,
      request: QuoteRequest,
      { platform, start = "channel" }: Pick<QuotesRequest, "platform" | "start">,
    ) =>
      Effect.map(
        registry.enabled,
        (providers) =>
          providersOf(caller, providers).filter((provider) =>
            (platform === undefined || provider.name === platform) &&
            beginningsOf(provider, { request, start, barred: noneBarred }).length > 0 &&
            cannotQuote(provider, request) === undefined
          ),
      )

    const search = (able: ReadonlyArray<Provider>, request: QuoteRequest) =>
      leastAmount(able.map((provider) => askable(provider, request)), wholeUnit(request.sourceAsset)).pipe(
        Effect.timeoutOption(longestSearch),
        Effect.map(Option.getOrUndefined),
      )

    const run = (begun: Search, able: ReadonlyArray<Provider>, request: QuoteRequest) =>
      searching.withPermits(1)(search(able, request)).pipe(
        Effect.provideService(OnBehalfOf, undefined),
        Effect.catchCause((cause) =>
          Effect.as(Effect.logWarning("A minimum amount could not be read", cause), undefined)
        ),
        Effect.flatMap(Effect.fnUntraced(function* (found: LeastAmount | undefined) {
          begun.until = (yield* currentMillis) + (found === undefined ? unknownFor : believedFor)
          yield* Deferred.succeed(begun.found, found)
        })),
      )

    /** Makes room by forgetting what is over, then the oldest that has ended; nothing where all are under way. */
    const hasRoom = (now: number): boolean => {
      if (searches.size < mostRemembered) return true
      for (const [key, { until }] of searches) if (until !== undefined && until <= now) searches.delete(key)
      const [oldest] = [...searches].find(([, { until }]) => until !== undefined) ?? []
      if (searches.size >= mostRemembered && oldest !== undefined) searches.delete(oldest)
      return searches.size < mostRemembered
    }

    const underWay = (account: AccountId): number =>
      [...searches.values()].filter((search) => search.account === account && search.until === undefined)
        .length

    const mayBegin = (account: AccountId, key: string, now: number): boolean =>
      underWay(account) < mostOfAccount && (searches.has(key) || hasRoom(now))

    /** The search under way or ended lately, or a new one: a search that is remembered runs, whoever leaves. */
    const join = (account: AccountId, able: ReadonlyArray<Provider>, request: QuoteRequest, now: number) =>
      Effect.uninterruptible(Effect.gen(function* () {
        const key = searchKey(able, request)
        const known = searches.get(key)
        if (known !== undefined && (known.until === undefined || now < known.until)) return known
        if (!mayBegin(account, key, now)) return undefined
        const begun: Search = { account, found: Deferred.makeUnsafe(), until: undefined }
        searches.set(key, begun)
        yield* Effect.forkIn(run(begun, able, request), scope)
        return begun
      }))

    /** The minimum of the wanted providers, whatever the order's amount. None while unknown, or others are searched. */
    const of = Effect.fnUntraced(function* (caller: Caller, order: QuotesRequest) {
      const request = firstOf(caller, order)
      const able = yield* ableTo(caller, request, order)
      const search = yield* join(caller.id, able, request, yield* currentMillis)
      if (search === undefined) return Option.none()
      const within = yield* Effect.timeoutOption(Deferred.await(search.found), patience)
      return Option.flatMap(within, Option.fromUndefinedOr)
    })

    return { of }
  }),
) {}
