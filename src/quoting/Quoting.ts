import { Array, Cause, Context, Effect, Exit, Layer, Option, Result, Schema } from "effect"
import { effectiveCommission, requireRoute, type RouteDenied } from "../accounts/terms.ts"
import type { Caller } from "../domain/Account.ts"
import { chainOf } from "../domain/Asset.ts"
import { Bps } from "../domain/Bps.ts"
import { hasIssues } from "../domain/Issues.ts"
import { ProviderError, RequestRefused, TimedOut } from "../domain/ProviderError.ts"
import { OnBehalfOf } from "../platform/Bulkhead.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { Quote, QuoteRequest } from "../domain/Quote.ts"
import type { Start } from "../domain/Start.ts"
import { lightSpan } from "../platform/lightSpan.ts"
import { asQuotable, notQuotable } from "../providers/Capabilities.ts"
import { type Provider, startsOf } from "../providers/Provider.ts"
import { Registry } from "../providers/Registry.ts"
import { type Answer, outcome, ranking } from "./Outcome.ts"
import type { QuoteOrder } from "./QuoteOrder.ts"
import { type GatherTimeouts, makeGather } from "./gather.ts"
import { makeSingleFlight, refusedWaiter, type ReuseTimes, type Waiter } from "./SharedCalls.ts"

/** No provider could be asked. Code `provider_unavailable`. */
export class NoProviderAvailable extends Schema.TaggedError<NoProviderAvailable>()("NoProviderAvailable", {
  detail: Schema.String,
  /** Seconds until a provider may be asked again. */
  retryAfterSeconds: Schema.Int,
}) {}

/** No provider had an answer: the failure that tells the caller most, and the failure of each provider. */
export class QuotesFailed extends Schema.TaggedError<QuotesFailed>()("QuotesFailed", {
  failure: ProviderError,
  providers: Schema.Array(ProviderError),
}) {}

export interface QuotingOptions extends GatherTimeouts {
  readonly reuse: ReuseTimes
}

/** The seconds that callers are asked to wait when nothing tells how long the providers will be out. */
const defaultRetryAfterSeconds = 5

/** How a provider begins the swap of a quote. */
export interface Beginning {
  /** Whether the provider has to know the amount before it opens a channel. */
  readonly needsAmount: boolean
  /** The ways in which it begins swaps; empty if it only gives quotes. */
  readonly starts: ReadonlyArray<Start>
}

/** The answer of the providers to a request. */
export interface RankedQuotes {
  /** The best quote first. */
  readonly quotes: ReadonlyArray<Quote>
  /** The providers that were asked, in the operator's order. */
  readonly providers: ReadonlyArray<ProviderName>
  /** Why some of the providers have no quote. */
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
  /** Asks all enabled providers for the service itself, under no account's rules. */
  readonly ofAll: (request: QuoteRequest) => Effect.Effect<RankedQuotes, QuotesFailed | NoProviderAvailable>
}>()("swap-broker/quoting/Quoting") {
  static readonly layer = (options: QuotingOptions): Layer.Layer<Quoting, never, Registry> =>
    Layer.effect(
      Quoting,
      Effect.gen(function* () {
        const registry = yield* Registry
        const singleFlight = yield* makeSingleFlight(options.reuse)
        const gather = yield* makeGather(options)

        /** A provider or pair that is switched off gets no reused answer either. */
        const waitFor = (provider: Provider, request: QuoteRequest) =>
          registry.mayCall(provider.name, "quote", [request.sourceAsset, request.destinationAsset]).pipe(
            Effect.andThen(keysOf(provider, request)),
            Effect.flatMap((keys) => singleFlight(keys, provider.name, provider.quotes(request))),
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

        /** All providers are asked before the first is waited for. */
        const ask = (providers: ReadonlyArray<Provider>, request: QuoteRequest) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* () {
              const waiters = yield* Effect.forEach(
                providers,
                (provider) => waiterFor(provider, asQuotable(provider.capabilities, request)),
              )
              yield* Effect.onInterrupt(restore(gather(waiters)), () => cancelAll(waiters))
              const answers = yield* Effect.forEach(
                providers,
                (provider, index) => answerOf(waiters[index], provider),
              )
              return { answers, sharedUntil: sharedUntil(waiters) }
            })
          )

        const ranked = Effect.fnUntraced(
          function* (request: QuoteRequest, providers: ReadonlyArray<Provider>) {
            const { answers, sharedUntil } = yield* ask(providers, request)
            if (!Array.isReadonlyArrayNonEmpty(answers)) {
              return yield* new NoProviderAvailable({
                detail: "No quote provider is enabled",
                retryAfterSeconds: defaultRetryAfterSeconds,
              })
            }
            const found = yield* Effect.fromResult(
              Result.mapError(
                outcome(answers),
                (failure) => new QuotesFailed({ failure, providers: answers.flatMap(failureOf) }),
              ),
            )
            const names = providers.map((provider) => provider.name)
            return {
              quotes: Array.sort(found, ranking(names)),
              providers: names,
              failures: answers.flatMap(failureOf),
              beginnings: new Map(
                providers.map((provider) => [provider.name, beginningOf(provider, request)]),
              ),
              sharedUntil,
            }
          },
          lightSpan("Quoting.quotes"),
        )

        const quotes = Effect.fnUntraced(function* (caller: Caller, order: QuoteOrder) {
          const { commissionBps: wished, platform, ...pair } = order
          yield* requireRoute(caller, "quote", pair)
          const override = Option.map(Option.fromUndefinedOr(wished), (bps) => Bps.make(bps))
          const commissionBps = effectiveCommission(caller, override)
          const providers = platform === undefined
            ? yield* registry.enabled
            : Option.toArray(yield* registry.find(platform))
          const answer = yield* ranked({ ...pair, commissionBps }, providers)
          return { ...answer, commissionBps: Option.isSome(override) ? commissionBps : undefined }
        })

        const ofAll = (request: QuoteRequest) =>
          Effect.flatMap(registry.enabled, (providers) => ranked(request, providers))

        return Quoting.of({ quotes, ofAll })
      }),
    )
}

const beginningOf = (provider: Provider, { sourceAsset }: QuoteRequest): Beginning => ({
  needsAmount: provider.capabilities.needsAmount,
  starts: startsOf(provider, chainOf(sourceAsset)),
})

const sharedUntil = (waiters: ReadonlyArray<Waiter>): number | undefined => {
  const times = waiters.flatMap((waiter) => waiter.sharedUntil() ?? [])
  return times.length === waiters.length ? Math.min(...times) : undefined
}

const cancelAll = (waiters: ReadonlyArray<Waiter>) =>
  Effect.sync(() => {
    for (const waiter of waiters) waiter.cancel()
  })

/** The answer of a provider; a call that ended neither in quotes nor in a `ProviderError` ends the whole request. */
const answerOf = (waiter: Waiter | undefined, provider: Provider): Effect.Effect<Answer> => {
  const exit = waiter?.ended()
  if (exit === undefined) return Effect.succeed(Result.fail(tooLate(provider)))
  return Exit.isSuccess(exit)
    ? Effect.succeed(Result.succeed(exit.value))
    : Result.match(Cause.findError(exit.cause), {
      onSuccess: (error) => Effect.succeed(Result.fail(error)),
      onFailure: Effect.failCause,
    })
}

const failureOf = (answer: Answer): ReadonlyArray<ProviderError> =>
  Result.isFailure(answer) ? [answer.failure] : []

/** The key of a quote call: the same for every account that asks for the same quote. */
const keyOf = (
  { name }: Provider,
  { amount, commissionBps, destinationAsset, recipient, sender, sourceAsset }: QuoteRequest,
) =>
  `${name} ${sourceAsset} ${destinationAsset} ${amount} ${commissionBps} ${sender ?? ""} ${recipient ?? ""}`

/** Why a provider cannot take the commission; it is passed over then. */
const cannotQuote = ({ name, capabilities }: Provider, request: QuoteRequest): ProviderError | undefined => {
  const errors = notQuotable(name, capabilities, request)
  return hasIssues(errors)
    ? new ProviderError({ provider: name, operation: "quote", reason: new RequestRefused({ errors }) })
    : undefined
}

const tooLate = (provider: Provider): ProviderError =>
  new ProviderError({
    provider: provider.name,
    operation: "quote",
    reason: new TimedOut({ detail: `no quote from ${provider.name} in time`, reached: true }),
  })
