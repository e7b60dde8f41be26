import { Array, Context, Deferred, type Duration, Effect, Fiber, Layer, Option, Result, Schema } from "effect"
import { wrong } from "../domain/Faults.ts"
import { ProviderError, RequestRefused, TimedOut } from "../domain/ProviderError.ts"
import type { Quote, QuoteRequest } from "../domain/Quote.ts"
import type { Provider } from "../providers/Provider.ts"
import { Registry } from "../providers/Registry.ts"
import { type Answer, outcome } from "./Outcome.ts"
import { ranking } from "./Ranking.ts"
import { makeShare, type ReuseTimes } from "./SharedCalls.ts"

/** No provider could be asked at all. Code `provider_unavailable`. */
export class NoProviderAvailable extends Schema.TaggedError<NoProviderAvailable>()("NoProviderAvailable", {
  detail: Schema.String,
  /** Seconds until one may be asked again. */
  retryAfterSeconds: Schema.Int,
}) {}

/** No provider had an answer: the failure that tells most, and what each of them said. */
export class QuotesFailed extends Schema.TaggedError<QuotesFailed>()("QuotesFailed", {
  failure: ProviderError,
  providers: Schema.Array(ProviderError),
}) {}

/** How quotes are gathered (resilience.md). */
export interface QuotingOptions {
  /** Bounds a whole answer, however many providers are asked. */
  readonly deadline: Duration.Duration
  /** How much longer the others get once one has answered with quotes. */
  readonly grace: Duration.Duration
  readonly reuse: ReuseTimes
}

/** When nothing tells how long the providers will be out, callers are asked to wait this long. */
const defaultRetryAfterSeconds = 5

/** Quotes of every provider that can serve a request, in one ranked answer. */
export class Quoting extends Context.Service<Quoting, {
  /**
   * Asks all enabled providers at once, or only the named one; the best quote comes first. Opens and
   * reserves nothing.
   */
  readonly quotes: (
    request: QuoteRequest,
    platform: string | undefined,
  ) => Effect.Effect<ReadonlyArray<Quote>, QuotesFailed | NoProviderAvailable>
}>()("swap-broker/quoting/Quoting") {
  static readonly layer = (options: QuotingOptions): Layer.Layer<Quoting, never, Registry> =>
    Layer.effect(
      Quoting,
      Effect.gen(function* () {
        const registry = yield* Registry
        const share = yield* makeShare(options.reuse)
        const scope = yield* Effect.scope

        const ask = (provider: Provider, request: QuoteRequest): Effect.Effect<Answer> =>
          Option.match(cannotCharge(provider, request), {
            onSome: (error) => Effect.succeed(Result.fail(error)),
            // What is switched off is not answered from a call before it was, either.
            onNone: () =>
              registry.mayCall(provider.name, "quote", [request.sourceAsset, request.destinationAsset]).pipe(
                Effect.andThen(share(keyOf(provider, request), provider.name, provider.quotes(request))),
                Effect.result,
              ),
          })

        /**
         * Does not wait longer than `enough`, but lets the work run on: a provider that is always late would
         * otherwise be cut off each time, and its circuit would never hear of it. A caller who goes away ends
         * the work.
         */
        const leavingLate = (work: Effect.Effect<unknown>, enough: Effect.Effect<void>) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(
              Effect.forkIn(restore(work), scope, { startImmediately: true }),
              (fiber) =>
                restore(Effect.raceFirst(Fiber.join(fiber), enough)).pipe(
                  Effect.onInterrupt(() => Fiber.interrupt(fiber)),
                ),
            )
          )

        const gather = Effect.fnUntraced(
          function* (providers: ReadonlyArray<Provider>, request: QuoteRequest) {
            const answers = new Map<Provider, Answer>()
            const firstQuotes = yield* Deferred.make<void>()
            const all = Effect.forEach(providers, (provider) =>
              Effect.map(ask(provider, request), (answer) => {
                answers.set(provider, answer)
                if (hasQuotes(answer)) Deferred.doneUnsafe(firstQuotes, Effect.void)
              }), { concurrency: "unbounded", discard: true })
            const graceOver = Effect.andThen(Deferred.await(firstQuotes), Effect.sleep(options.grace))
            yield* leavingLate(Effect.timeoutOption(all, options.deadline), graceOver)
            return providers.map((provider) => answers.get(provider) ?? Result.fail(tooLate(provider)))
          },
        )

        const quotes = Effect.fn("Quoting.quotes")(
          function* (request: QuoteRequest, platform: string | undefined) {
            const providers = yield* providersFor(platform)
            const answers = yield* gather(providers, request)
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
            return Array.sort(found, ranking(providers.map((provider) => provider.name)))
          },
        )

        const providersFor = (platform: string | undefined) =>
          platform === undefined
            ? registry.enabled
            : Effect.map(registry.find(platform), (found) => Option.toArray(found))

        return Quoting.of({ quotes })
      }),
    )
}

const hasQuotes = (answer: Answer): boolean => Result.isSuccess(answer) && answer.success.length > 0

const failureOf = (answer: Answer): ReadonlyArray<ProviderError> =>
  Result.isFailure(answer) ? [answer.failure] : []

/** What makes two quote calls the same; never who asks. */
const keyOf = ({ name }: Provider, { sourceAsset, destinationAsset, amount, commissionBps }: QuoteRequest) =>
  `${name} ${sourceAsset} ${destinationAsset} ${amount} ${commissionBps}`

/** A provider that cannot take the commission is passed over; it is never clipped. */
const cannotCharge = (
  { name, capabilities }: Provider,
  { commissionBps }: QuoteRequest,
): Option.Option<ProviderError> =>
  commissionBps <= capabilities.maximumCommissionBps ? Option.none() : Option.some(
    new ProviderError({
      provider: name,
      operation: "quote",
      reason: new RequestRefused({
        errors: wrong(
          "commissionBps",
          `is more than ${name} takes: at most ${capabilities.maximumCommissionBps} basis points`,
        ),
      }),
    }),
  )

const tooLate = (provider: Provider): ProviderError =>
  new ProviderError({
    provider: provider.name,
    operation: "quote",
    reason: new TimedOut({ detail: `no quote from ${provider.name} in time`, reached: true }),
  })
