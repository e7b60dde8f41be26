import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { BigDecimal, Context, Duration, Effect, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { Address } from "#domain/chains/Address.ts"
import { QuoteId } from "#domain/quotes/BoundQuote.ts"
import { noBps } from "#domain/money/Bps.ts"
import { anyPrice } from "#domain/money/Price.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { Quote } from "#domain/quotes/Quote.ts"
import type { Guard } from "#providers/guard/Guard.ts"
import type { GuardOptions } from "#providers/guard/GroupGuard.ts"
import type { Provider } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import type { QuotesArrival } from "#application/quoting/quoteArrivals.ts"
import { QuoteIds } from "#application/quoting/QuoteIds.ts"
import { Quoting, type QuotingOptions } from "#application/quoting/Quoting.ts"
import type { CallersQuotes } from "#application/quoting/RankedQuotes.ts"
import { begin, defaultKnobs, guardLayer } from "#test/providers/guard/support.ts"
import type { QuotesRequest } from "#application/quoting/QuotesRequest.ts"
import { TrackRecords } from "#application/quoting/TrackRecords.ts"
import { callerWith } from "#test/support/account.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { failureOf, quoteOf, request } from "./support.ts"

const evmAddress = Address.make("0x2222222222222222222222222222222222222222")

type Said = Effect.Effect<ReadonlyArray<Quote>, ProviderErrorReason>

/** A provider that says something to every request for quotes, and remembers what became of the calls. */
export const says = (name: string, said: Said, maximumCommissionBps = 1_000) => {
  const provider = new ScriptedProvider(name)
  const calls = { begun: 0, cancelled: 0 }
  provider.quoting = ({ amount }) =>
    Effect.suspend(() => {
      calls.begun += 1
      return Effect.map(said, (quotes) =>
        quotes.map((quote) => ({ ...quote, ingress: { ...quote.ingress, amount: unitsOf(amount) } })))
    }).pipe(
      Effect.mapError((reason) =>
        failureOf(provider.name, reason)
      ),
      Effect.onInterrupt(() => Effect.sync(() => calls.cancelled += 1)),
    )
  const capabilities = { ...provider.capabilities, maximumCommissionBps }
  return {
    calls,
    provider: {
      name: provider.name,
      capabilities,
      assets: provider.assets,
      quotes: provider.quotes,
      channels: provider.channels,
    } satisfies Provider,
  }
}

/** The defaults of the settings. */
export const options: QuotingOptions = {
  deadline: Duration.seconds(5),
  grace: Duration.millis(400),
  lifetime: Duration.minutes(1),
  toleranceMost: BigDecimal.fromBigInt(5n),
  networks: ["mainnet"],
  reuse: { quotes: Duration.seconds(1), refusals: Duration.millis(250) },
}

/** Knobs under which no provider's call ends before the deadline of the whole answer. */
export const patientKnobs: GuardOptions = {
  ...defaultKnobs,
  groups: {
    ...defaultKnobs.groups,
    quote: { ...defaultKnobs.groups.quote, attemptTimeout: Duration.minutes(10) },
  },
}

const orderOf = (changes: Partial<QuotesRequest> = {}, platform?: string): QuotesRequest => ({
  ...request,
  ...changes,
  platform: platform === undefined ? undefined : ProviderName.make(platform),
})

/** Ids that promise nothing, for who asks for quotes alone. */
export const noIds = Layer.mock(QuoteIds, {
  open: () => Option.none(),
  forget: () => {},
  issue: ({ ranking }) => ranking.ranked.map(({ position }) => QuoteId.make(`${position}`)),
})

/** Quoting over these providers, the preferred first, each behind the real guard. */
export const quotingOver = Effect.fnUntraced(function* (
  providers: ReadonlyArray<ReturnType<typeof says>>,
  knobs: GuardOptions = defaultKnobs,
  guard: Layer.Layer<Guard> = guardLayer(knobs),
) {
  const services = yield* Quoting.layer(options).pipe(
    Layer.provideMerge(Registry.layer(providers.map(({ provider }) => provider.name))),
    Layer.provide([guard, TrackRecords.layerEmpty, noIds]),
    Layer.build,
  )
  const registry = Context.get(services, Registry)
  yield* Effect.forEach(providers, ({ provider }) => registry.register(provider))
  const { arriving, best, limits, ofAll, quotes } = Context.get(services, Quoting)
  return {
    /** Asks all providers, or one, for the usual or for a changed request. */
    ask: (changes: Partial<QuotesRequest> = {}, platform?: string) =>
      Effect.map(quotes(callerWith(), orderOf(changes, platform)), (ranked) => ranked.quotes),
    /** The limits of the usual pair. */
    limits: (changes: Partial<QuotesRequest> = {}) => limits(callerWith(), orderOf(changes)),
    /** Listens to the answer to the usual request until its end. */
    listen: (hear: (event: QuotesArrival<CallersQuotes>) => void) =>
      Effect.flatMap(
        arriving(callerWith(), orderOf()),
        Stream.runForEach((event) => Effect.sync(() => hear(event))),
      ),
    /** Asks all providers for the best, without a list that anybody is shown. */
    decide: best(
      callerWith(),
      {
        ...request,
        destinationAddress: evmAddress,
        refundAddress: evmAddress,
        minimumPrice: anyPrice,
        retryDurationBlocks: 0,
        maximumBoostFeeBps: noBps,
        affiliates: [],
      },
      request.amount,
      providers.map(({ provider }) => provider.name),
    ),
    /** Asks all providers for the service itself. */
    ofAll: ofAll(request),
    /** Until when the answer to the usual request is shared. */
    sharedUntil: Effect.map(quotes(callerWith(), orderOf()), (ranked) => ranked.sharedUntil),
  }
})

export type Asking = Effect.Effect<
  ReadonlyArray<Quote>,
  Effect.Error<ReturnType<Quoting["Service"]["quotes"]>>
>

export const after = (millis: number) => Effect.delay(Duration.millis(millis))
export const quotes = (name: ProviderName, ...egress: ReadonlyArray<bigint>) =>
  Effect.succeed(egress.map((amount) => quoteOf(name, amount)))
export const noQuotes = Effect.succeed([])

/** The egress amounts of an answer. */
export const amounts = (asking: Asking) =>
  Effect.map(asking, (all) => all.map((quote) => quote.egress.amount))

/** The failure of an answer: what stands for all, and what each provider said. */
export const toldBy = (asking: Asking) =>
  Effect.map(Effect.flip(asking), (error) =>
    error._tag === "QuotesFailed"
      ? {
        failure: error.failure.reason._tag,
        providers: error.providers.map(({ provider, reason }) => `${provider}: ${reason._tag}`),
      }
      : { failure: error._tag, providers: [] })

/** What an answer is after so long; nothing while it is outstanding. */
export const answerAfter = Effect.fnUntraced(function* <A, E>(asking: Effect.Effect<A, E>, millis: number) {
  const fiber = yield* begin(asking)
  yield* TestClock.adjust(Duration.millis(millis))
  return fiber.pollUnsafe()
})
