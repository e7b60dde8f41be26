import { Array, BigDecimal, Cause, Clock, Duration, Effect, Exit, Option, Result } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { hasIssues, issueAbout } from "#domain/Issues.ts"
import {
  AssetNotListed,
  NoExactOutput,
  OtherStart,
  ProviderError,
  RequestRefused,
  TimedOut,
} from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { swapAmountText } from "#domain/quotes/ExactOutput.ts"
import { mostFor } from "#domain/money/Price.ts"
import {
  limitOf,
  type Quote,
  type QuoteRequest,
  type TimedQuote,
  toleranceWithin,
} from "#domain/quotes/Quote.ts"
import { type Start, type StartInput, startPaths, startsWanted } from "#domain/swaps/Start.ts"
import { EpochMillis } from "#domain/Time.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { asQuotable, exactOutputLacking, notQuotable } from "#providers/Capabilities.ts"
import { type Provider, servesPair, startsOf } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import type { Answer } from "./Outcome.ts"
import {
  type CollectTimeouts,
  makeCollectQuotes,
  makeSingleFlight,
  refusedWaiter,
  type ReuseTimes,
  type Waiter,
} from "./SharedCalls.ts"

/** A request, the providers that it is for, and how its swaps have to begin. */
export interface AskedProviders {
  readonly request: QuoteRequest
  readonly providers: ReadonlyArray<Provider>
  readonly start: StartInput
  /** Why providers would open no channel for the caller at present. */
  readonly barred: Barred
}

export type Barred = ReadonlyMap<ProviderName, ProviderError>
export const noneBarred: Barred = new Map()

/** The providers that would open no channel for an account at present: no offer of a channel of theirs is shown to it. */
export const barredFor = (
  account: AccountId,
  { providers, request: { sourceAsset } }: Omit<AskedProviders, "barred">,
): Effect.Effect<Barred> =>
  Effect.map(
    Effect.forEach(
      providers,
      ({ channels, name }) =>
        Effect.match(channels?.mayOpen?.(sourceAsset) ?? Effect.void, {
          onSuccess: () => [],
          onFailure: (error) => [[name, error] as const],
        }),
      { concurrency: "unbounded" },
    ),
    (errors) => new Map(errors.flat()),
  ).pipe(Effect.provideService(OnBehalfOf, account))

/** The ways in which a provider begins a swap, the wanted one first; empty where its offers are left out. */
export const beginningsOf = (
  provider: Provider,
  { barred, request: { sourceAsset }, start }: Omit<AskedProviders, "providers">,
): ReadonlyArray<Start> => {
  const starts = startsOf(provider, chainOf(sourceAsset))
  return startsWanted(barred.has(provider.name) ? starts.filter((way) => way !== "channel") : starts, start)
}

const failedQuote = (provider: ProviderName, reason: ProviderError["reason"]): ProviderError =>
  new ProviderError({ provider, operation: "quote", reason })

/** Why offers are left out: no minimum output, another kind of start, or not for the caller (decision 18). */
const leftOut = (
  provider: Provider,
  { barred, request: { amount, sourceAsset }, start }: AskedProviders,
): ProviderError => {
  const lacking = exactOutputLacking(provider.name, provider.capabilities, amount)
  if (lacking !== undefined) return failedQuote(provider.name, lacking)
  const chain = chainOf(sourceAsset)
  const isWanted = startsWanted(startsOf(provider, chain), start).length > 0
  const bar = isWanted ? barred.get(provider.name) : undefined
  if (bar !== undefined) return bar
  const [path] = startPaths(startsOf(provider, chain), chain)
  const sentence = path === undefined
    ? `is none at ${provider.name}, which begins no swaps from ${chain}`
    : `is ${path} alone at ${provider.name}: ask with start=${
      path === "/swap" ? "channel" : "transaction"
    } for its offers`
  return failedQuote(provider.name, new OtherStart({ errors: issueAbout("start", sentence) }))
}

/** Whether a provider has no say because it is left out, or does not deal in the pair. */
const hasNoSay = (answer: Answer): boolean =>
  Result.isFailure(answer) &&
  [OtherStart, NoExactOutput, AssetNotListed].some((kind) => answer.failure.reason instanceof kind)

/** The answers, without those of uncalled providers that do not list the pair. */
const withoutUnlisted = (
  answers: ReadonlyArray<Answer>,
  { providers, request }: AskedProviders,
): Effect.Effect<ReadonlyArray<Answer>> =>
  answers.every(hasNoSay)
    ? Effect.forEach(
      Array.zip(answers, providers),
      ([answer, { assets, name: provider }]) =>
        Effect.match(assets, {
          onSuccess: (listed) => servesPair(listed, request) ? answer : notListed(provider, request),
          onFailure: () => answer,
        }),
    )
    : Effect.succeed(answers)

const notListed = (provider: ProviderName, { destinationAsset, sourceAsset }: QuoteRequest): Answer => {
  const reason = new AssetNotListed({ detail: `${sourceAsset} to ${destinationAsset} is not swapped there` })
  return Result.fail(failedQuote(provider, reason))
}

/** The calls of a request, by the providers that are asked. */
export type Waiters = ReadonlyMap<Provider, Waiter>

/** A provider's answer, or that it was left out. A defect ends the whole request. */
export const answerFrom = (
  waiters: Waiters,
  provider: Provider,
  asked: AskedProviders,
): Exit.Exit<Answer> => {
  const waiter = waiters.get(provider)
  if (waiter === undefined) return Exit.succeed(Result.fail(leftOut(provider, asked)))
  const ended = waiter.ended() ?? Exit.fail(tooLate(provider.name))
  if (Exit.isSuccess(ended)) return Exit.succeed(Result.succeed(ended.value))
  return Result.match(Cause.findError(ended.cause), {
    onSuccess: (error) => Exit.succeed(Result.fail(error)),
    onFailure: Exit.failCause,
  })
}

/** The time until which shared calls answer a request, in epoch milliseconds; undefined where it began a call itself. */
const sharedUntil = (waiters: ReadonlyArray<Waiter>): number | undefined => {
  const times = waiters.flatMap((waiter) => waiter.sharedUntil() ?? [])
  return waiters.length > 0 && times.length === waiters.length ? Math.min(...times) : undefined
}

export const cancelAll = (waiters: ReadonlyArray<Waiter>) =>
  Effect.sync(() => {
    for (const waiter of waiters) waiter.cancel()
  })

/** The key of a quote call: the same for every account that asks for the same quote. */
export const keyOf = (
  { name }: Provider,
  { amount, commissionBps, destinationAsset, recipient, sender, sourceAsset }: QuoteRequest,
) =>
  `${name} ${sourceAsset} ${destinationAsset} ${swapAmountText(amount)} ${commissionBps} ${sender ?? ""} ${
    recipient ?? ""
  }`

/** Why a provider cannot promise the output, or take the commission; it is passed over then. */
export const cannotQuote = (
  { name, capabilities }: Provider,
  request: QuoteRequest,
): ProviderError | undefined => {
  const lacking = exactOutputLacking(name, capabilities, request.amount)
  if (lacking !== undefined) return failedQuote(name, lacking)
  const errors = notQuotable(name, capabilities, request)
  return hasIssues(errors) ? failedQuote(name, new RequestRefused({ errors })) : undefined
}

const tooLate = (provider: ProviderName): ProviderError =>
  failedQuote(provider, new TimedOut({ detail: `no quote from ${provider} in time`, reached: true }))

/** The impact on the price above which liquidity is low, in percent, whoever quotes. */
const mostImpact = BigDecimal.fromBigInt(5n)

const isLow = ({ lowLiquidityWarning, priceImpactPercent }: Quote): boolean =>
  lowLiquidityWarning ||
  priceImpactPercent !== undefined && BigDecimal.isGreaterThan(priceImpactPercent, mostImpact)

/** The most that the swap of a quote asks for: that for which the price limit still asks for no more than the output. */
const withinLimit = (quote: TimedQuote): TimedQuote => {
  const { egress, exactOutput, ingress } = quote
  const most = exactOutput === undefined
    ? undefined
    : mostFor(egress.amount, limitOf(quote), ingress.asset, egress.asset)
  return exactOutput === undefined ? quote : {
    ...quote,
    exactOutput: {
      ...exactOutput,
      sendAtMost: Option.getOrElse(NativeAmount.makeOption(most ?? -1n), () => exactOutput.sendAtMost),
    },
  }
}

/** The quote with its tolerance, of which `most` is taken, and all that follows from it. */
export const heldTo =
  (most: BigDecimal.BigDecimal) => (quote: Omit<TimedQuote, "slippageTolerancePercent">): TimedQuote =>
    withinLimit({
      ...quote,
      slippageTolerancePercent: toleranceWithin(most, quote.recommendedSlippageTolerancePercent),
    })

/** The quote with what the service adds: its end, where its provider states none, its tolerance, and the one rule of low liquidity. */
const completed = (end: EpochMillis, toleranceMost: BigDecimal.BigDecimal) => (quote: Quote): TimedQuote =>
  heldTo(toleranceMost)({
    ...quote,
    lowLiquidityWarning: isLow(quote),
    expiresAt: quote.expiresAt ?? end,
    ...optionalMembers(
      quote.boostQuote,
      (boost) => ({ boostQuote: { ...boost, lowLiquidityWarning: isLow({ ...quote, ...boost }) } }),
    ),
  })

/** Options of asking providers for quotes. */
export interface CallOptions extends CollectTimeouts {
  readonly reuse: ReuseTimes
  /** How long a quote is good for where its provider says nothing. */
  readonly lifetime: Duration.Duration
  /** The most that a provider's recommendation takes off the price limit, in percent. */
  readonly toleranceMost: BigDecimal.BigDecimal
}

/** Asks providers for quotes; who asks the same shares their calls, until the scope closes. */
export const makeCalls = Effect.fnUntraced(
  function* (options: CallOptions) {
    const registry = yield* Registry
    const singleFlight = yield* makeSingleFlight(options.reuse)
    const gather = yield* makeCollectQuotes(options)
    const clock = yield* Clock.Clock
    const lifetime = Duration.toMillis(options.lifetime)

    const timed = (quotes: ReadonlyArray<Quote>) =>
      quotes.map(
        completed(EpochMillis.make(clock.currentTimeMillisUnsafe() + lifetime), options.toleranceMost),
      )

    /** Switched-off providers and pairs reuse no answer. A call in its account's line is not shared: others would wait, too. */
    const waitFor = (provider: Provider, request: QuoteRequest) => {
      const shared = keyOf(provider, request)
      return registry.mayCall(provider.name, "quote", [request.sourceAsset, request.destinationAsset]).pipe(
        Effect.andThen(registry.quotesWait(provider.name)),
        Effect.flatMap((waits) =>
          Effect.withFiber((fiber) =>
            singleFlight(
              { shared, begun: waits ? `${shared} ${fiber.getRef(OnBehalfOf)}` : shared },
              provider.name,
              Effect.map(provider.quotes(request), timed),
            )
          )
        ),
      )
    }

    const waiterFor = (provider: Provider, request: QuoteRequest): Effect.Effect<Waiter> => {
      const error = cannotQuote(provider, request)
      return error === undefined
        ? Effect.catch(waitFor(provider, request), (error) => Effect.succeed(refusedWaiter(error)))
        : Effect.succeed(refusedWaiter(error))
    }

    /** Asks all providers whose offers are wanted, before the first is waited for. */
    const begin = (asked: AskedProviders) => {
      const wanted = asked.providers.filter((provider) => beginningsOf(provider, asked).length > 0)
      return Effect.map(
        Effect.forEach(
          wanted,
          (provider) => waiterFor(provider, asQuotable(provider.capabilities, asked.request)),
        ),
        (waiters): Waiters => new Map(Array.zip(wanted, waiters)),
      )
    }

    /** The answers in the operator's order, once nobody is waited for any more. */
    const answersOf = (waiters: Waiters, asked: AskedProviders) => {
      const answers: Array<Answer> = []
      for (const provider of asked.providers) {
        const answer = answerFrom(waiters, provider, asked)
        if (Exit.isFailure(answer)) return Exit.failCause(answer.cause)
        answers.push(answer.value)
      }
      return Effect.map(withoutUnlisted(answers, asked), (answers) => ({
        answers,
        sharedUntil: sharedUntil([...waiters.values()]),
      }))
    }

    /** Asks them, and waits for their answers. */
    const ask = (asked: AskedProviders) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(begin(asked), (waiters) => {
          const waiting = [...waiters.values()]
          return restore(gather.together(waiting)).pipe(
            Effect.onInterrupt(() => cancelAll(waiting)),
            Effect.flatMap(() => answersOf(waiters, asked)),
          )
        })
      )

    return { begin, ask, gather }
  },
)
