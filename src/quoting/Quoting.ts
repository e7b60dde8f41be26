import { Array, Context, type Duration, Effect, Layer, Option, Schema } from "effect"
import { ProviderError, TimedOut } from "../domain/ProviderError.ts"
import type { Quote, QuoteRequest } from "../domain/Quote.ts"
import type { Provider } from "../providers/Provider.ts"
import { Registry } from "../providers/Registry.ts"
import { outcome } from "./Outcome.ts"
import { ranking } from "./Ranking.ts"

/** No provider could be asked at all. Code `provider_unavailable`. */
export class NoProviderAvailable extends Schema.TaggedError<NoProviderAvailable>()("NoProviderAvailable", {
  detail: Schema.String,
  /** Seconds until one may be asked again. */
  retryAfterSeconds: Schema.Int,
}) {}

/** When nothing tells how long the providers will be out, callers are asked to wait this long. */
const defaultRetryAfterSeconds = 5

/** Quotes of every provider that can serve a request, in one ranked answer. */
export class Quoting extends Context.Service<Quoting, {
  /** Asks all enabled providers, or only the named one; the best quote comes first. */
  readonly quotes: (
    request: QuoteRequest,
    platform: string | undefined,
  ) => Effect.Effect<ReadonlyArray<Quote>, ProviderError | NoProviderAvailable>
}>()("swap-broker/quoting/Quoting") {
  /** `deadline` bounds a whole answer, however many providers are asked. */
  static readonly layer = (
    options: { readonly deadline: Duration.Input },
  ): Layer.Layer<Quoting, never, Registry> =>
    Layer.effect(
      Quoting,
      Effect.gen(function* () {
        const registry = yield* Registry

        const ask = (provider: Provider, request: QuoteRequest) =>
          provider.quotes(request).pipe(
            Effect.timeoutOrElse({
              duration: options.deadline,
              orElse: () => Effect.fail(tooLate(provider)),
            }),
            Effect.result,
          )

        const quotes = Effect.fn("Quoting.quotes")(
          function* (request: QuoteRequest, platform: string | undefined) {
            const providers = yield* providersFor(platform)
            const answers = yield* Effect.forEach(providers, (provider) => ask(provider, request), {
              concurrency: "unbounded",
            })
            if (!Array.isReadonlyArrayNonEmpty(answers)) {
              return yield* new NoProviderAvailable({
                detail: "No quote provider is enabled",
                retryAfterSeconds: defaultRetryAfterSeconds,
              })
            }
            const found = yield* Effect.fromResult(outcome(answers))
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

const tooLate = (provider: Provider): ProviderError =>
  new ProviderError({
    provider: provider.name,
    operation: "quote",
    reason: new TimedOut({ detail: `no quote from ${provider.name} in time`, reached: true }),
  })
