import { Array, type BigDecimal, Result } from "effect"
import type { ProviderChoice } from "#domain/accounts/OwnTerms.ts"
import type { Bps } from "#domain/money/Bps.ts"
import type { QuoteId } from "#domain/quotes/BoundQuote.ts"
import type { UsdPrices } from "#domain/money/UsdValue.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Quote, TimedQuote } from "#domain/quotes/Quote.ts"
import type { RankBy } from "#domain/quotes/QuoteRank.ts"
import type { Start } from "#domain/swaps/Start.ts"
import type { DcaParameters } from "#domain/swaps/SwapRequest.ts"
import type { Provider } from "#providers/Provider.ts"
import { type AskedProviders, beginningsOf, heldTo } from "./calls.ts"
import {
  type Answer,
  failureOf,
  mostTellingFailure,
  noOffer,
  type NoProviderAvailable,
  QuotesFailed,
  quotesOf,
} from "./Outcome.ts"
import type { QuotesRequest } from "./QuotesRequest.ts"
import { rank, type RankedQuote, type Ranking, type RankTerms } from "./Ranking.ts"

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
  /** Until when the calls of others answer this request, in epoch milliseconds. Absent where it made a call itself. */
  readonly sharedUntil: number | undefined
}

export interface IdentifiedQuote {
  readonly id: QuoteId
  readonly ranked: RankedQuote
}

/** The quotes of an answer with their ids, and what they were ranked by. */
export interface IdentifiedQuotes {
  readonly by: RankBy
  readonly quotes: ReadonlyArray<IdentifiedQuote>
}

/** The answer that a caller is shown. */
export interface CallersQuotes extends RankedQuotes {
  readonly identified: IdentifiedQuotes
  /** The commission that the quotes are priced with; undefined where the caller asked for none of its own. */
  readonly commissionBps: Bps | undefined
  /** Whether the account's boost quotes have their price. */
  readonly hasBoostPrice: boolean
  /** The prices of whole units by which the amounts have values, and when the answer was given. */
  readonly prices: UsdPrices
  readonly at: EpochMillis
}

/** What a caller wants to see of the quotes, and in which order. */
export interface QuoteSelection {
  readonly rank?: QuotesRequest["rank"] | undefined
  readonly regularOnly?: boolean | undefined
  /** The account's own choice of providers. */
  readonly choice?: ProviderChoice | undefined
  /** The account's own most of what is taken of a recommended tolerance, in percent. */
  readonly toleranceMost?: BigDecimal.BigDecimal | undefined
}

/** Answers to a request, which are in the operator's order, and what was asked. */
export interface Answered {
  readonly asked: AskedProviders
  readonly answers: ReadonlyArray<Answer>
  readonly sharedUntil: number | undefined
}

const isRegular = (quote: Quote): boolean => quote.dca === undefined

const beginningOf = (provider: Provider, asked: AskedProviders): Beginning => ({
  needsAmount: provider.capabilities.needsAmount,
  starts: beginningsOf(provider, asked),
})

/** One answer of those that there are. */
export const together = (
  { answers, asked, sharedUntil }: Answered,
  { choice, rank: by = "net", regularOnly, toleranceMost }: QuoteSelection,
  recordOf: RankTerms["recordOf"],
): RankedQuotes => {
  const found = toleranceMost === undefined
    ? answers.flatMap(quotesOf)
    : answers.flatMap(quotesOf).map(heldTo(toleranceMost))
  const beginnings = new Map(asked.providers.map((provider) => [provider.name, beginningOf(provider, asked)]))
  const preference = [...beginnings].flatMap(([name, { starts }]) => starts.length > 0 ? [name] : [])
  const given = regularOnly === true ? found.filter(isRegular) : found
  const ranking = rank(given, { by, preference, recordOf, choice })
  return {
    quotes: ranking.ranked.map(({ quote }) => quote),
    ranking,
    providers: [...beginnings.keys()],
    failures: answers.flatMap(failureOf),
    beginnings,
    sharedUntil,
  }
}

/** The best quote of some providers, or why they have none. For chunks that no quote has, it is that in one piece. */
export const bestOf = (
  { failures, quotes }: RankedQuotes,
  platforms: ReadonlyArray<ProviderName>,
  wanted: DcaParameters | undefined,
): Result.Result<TimedQuote, QuotesFailed | NoProviderAvailable> => {
  const isFor = ({ dca }: Quote): boolean =>
    dca?.numberOfChunks === wanted?.numberOfChunks && dca?.chunkIntervalBlocks === wanted?.chunkIntervalBlocks
  const able = quotes.filter(({ platform }) => platforms.includes(platform))
  const best = able.find(isFor) ?? able.find(isRegular)
  if (best !== undefined) return Result.succeed(best)
  const failed = failures.filter(({ provider }) => platforms.includes(provider))
  return Result.fail(
    Array.isReadonlyArrayNonEmpty(failed)
      ? new QuotesFailed({ failure: Array.min(failed, mostTellingFailure), providers: failed })
      : noOffer,
  )
}
