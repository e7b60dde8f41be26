import { Array, BigDecimal, Effect, Exit, Result } from "effect"
import type { AccountId } from "../domain/Account.ts"
import { chainOf } from "../domain/Asset.ts"
import { hasIssues, issueAbout } from "../domain/Issues.ts"
import {
  AssetNotListed,
  OtherStart,
  ProviderError,
  RequestRefused,
  TimedOut,
} from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { type Quote, type QuoteRequest, type TimedQuote, toleranceWithin } from "../domain/Quote.ts"
import { type Start, startPaths, startsWanted, type StartWish } from "../domain/Start.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { OnBehalfOf } from "../platform/Bulkhead.ts"
import { spread } from "../platform/spread.ts"
import { notQuotable } from "../providers/Capabilities.ts"
import { type Provider, servesPair, startsOf } from "../providers/Provider.ts"
import type { Answer } from "./Outcome.ts"
import type { Waiter } from "./SharedCalls.ts"

/** A request, the providers that it is for, and how its swaps have to begin. */
export interface Asked {
  readonly request: QuoteRequest
  readonly providers: ReadonlyArray<Provider>
  readonly start: StartWish
  /** Why providers would open no channel for the caller at present. */
  readonly barred: Barred
}

export type Barred = ReadonlyMap<ProviderName, ProviderError>
export const noneBarred: Barred = new Map()

/** The providers that would open no channel for an account at present: no offer of a channel of theirs is shown to it. */
export const barredFor = (
  account: AccountId,
  { providers, request: { sourceAsset } }: Omit<Asked, "barred">,
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
  { barred, request: { sourceAsset }, start }: Omit<Asked, "providers">,
): ReadonlyArray<Start> => {
  const starts = startsOf(provider, chainOf(sourceAsset))
  return startsWanted(
    barred.has(provider.name) ? starts.filter((way) => way !== "channel") : starts,
    start,
  )
}

const failedQuote = (provider: ProviderName, reason: ProviderError["reason"]): ProviderError =>
  new ProviderError({ provider, operation: "quote", reason })

/** Why the offers of a provider are left out where it begins a swap otherwise, or not for the caller (decision 18). */
const leftOut = (provider: Provider, { barred, request: { sourceAsset }, start }: Asked): ProviderError => {
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
  (answer.failure.reason instanceof OtherStart || answer.failure.reason instanceof AssetNotListed)

/**
 * The answers in which a provider that does not list the pair is not called left out. Their lists are looked at only where
 * nobody has a say, as it makes no difference elsewhere.
 */
export const withoutUnlisted = (
  answers: ReadonlyArray<Answer>,
  { providers, request }: Asked,
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

/**
 * The answer of a provider; of one that was not asked, that it is left out. A call that ended neither in quotes nor in a
 * `ProviderError` ends the whole request.
 */
export const answerFrom = (
  waiters: Waiters,
  provider: Provider,
  asked: Asked,
): Effect.Effect<Answer> => {
  const waiter = waiters.get(provider)
  return waiter === undefined
    ? Effect.succeed(Result.fail(leftOut(provider, asked)))
    : Effect.result(waiter.ended() ?? Exit.fail(tooLate(provider.name)))
}

/** The time until which shared calls answer a request, in epoch milliseconds; undefined where it began a call itself. */
export const sharedUntil = (waiters: ReadonlyArray<Waiter>): number | undefined => {
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
  `${name} ${sourceAsset} ${destinationAsset} ${amount} ${commissionBps} ${sender ?? ""} ${recipient ?? ""}`

/** Why a provider cannot take the commission; it is passed over then. */
export const cannotQuote = (
  { name, capabilities }: Provider,
  request: QuoteRequest,
): ProviderError | undefined => {
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

/** The quote with what the service adds: its end, where its provider states none, its tolerance, and the one rule of low liquidity. */
export const completed =
  (end: EpochMillis, toleranceMost: BigDecimal.BigDecimal) => (quote: Quote): TimedQuote => ({
    ...quote,
    lowLiquidityWarning: isLow(quote),
    expiresAt: quote.expiresAt ?? end,
    slippageTolerancePercent: toleranceWithin(toleranceMost, quote.recommendedSlippageTolerancePercent),
    ...spread(
      quote.boostQuote,
      (boost) => ({ boostQuote: { ...boost, lowLiquidityWarning: isLow({ ...quote, ...boost }) } }),
    ),
  })
