import { type BigDecimal, Option } from "effect"
import type { ComparisonBody, ExplanationBody, LimitsBody } from "#api/QuoteBodies.ts"
import { holding, knownTwins } from "#api/shape.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { QuoteId } from "#domain/quotes/BoundQuote.ts"
import { rankPolicies } from "#domain/quotes/QuoteRank.ts"
import { startPaths } from "#domain/swaps/Start.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { ExplainedAnswer, ExplainedQuote } from "#application/quoting/QuoteIds.ts"
import type { LeastAmount } from "#application/quoting/leastAmount.ts"
import type { PairLimits } from "#application/quoting/PairLimits.ts"
import type { IdentifiedQuotes } from "#application/quoting/RankedQuotes.ts"
import { commonTolerance, millisOf, minimumAt } from "#application/quoting/Ranking.ts"
import { type OfRequest, providerAnswer } from "../providerProblem.ts"
import { type OpeningTerms, presentQuote, presentReliability, presentTime } from "./quotes.ts"

type NotRanked = typeof ComparisonBody.Type["notRanked"][number]

/** Why a provider gave no quote. One that succeeded without any has none for the amount. */
const notRanked = (
  platform: ProviderName,
  failures: ReadonlyArray<ProviderError>,
  request: OfRequest,
): NotRanked => {
  const failure = failures.find(({ provider }) => provider === platform)
  if (failure === undefined) return { platform, reason: "The provider has no quote for this request" }
  const { code, detail } = { code: undefined, ...providerAnswer(request)(failure) }
  return { platform, ...defined({ code }), reason: detail }
}

export const presentComparison = (
  { answered, failures, least, providers, sourceAsset, terms }: {
    readonly answered: IdentifiedQuotes
    readonly terms: OpeningTerms
    readonly providers: ReadonlyArray<ProviderName>
    readonly failures: ReadonlyArray<ProviderError>
    readonly sourceAsset: AssetId
    readonly least: Option.Option<LeastAmount>
  },
  request: OfRequest,
): typeof ComparisonBody.Type => {
  const has = new Set(answered.quotes.map(({ ranked }) => ranked.quote.platform))
  return {
    policy: rankPolicies[answered.by].name,
    quotes: answered.quotes.map((quote) => presentQuote(quote, answered.by, terms)),
    notRanked: providers.filter((name) => !has.has(name)).map((name) => notRanked(name, failures, request)),
    ...optionalMembers(Option.getOrUndefined(least), ({ amount, platform }) => ({
      effectiveMinimum: { ...holding(sourceAsset, amount), platform },
    })),
  }
}

/** The limits of a pair at a provider. */
export const presentLimits =
  ({ sourceAsset }: { readonly sourceAsset: AssetId }) =>
  ({ maximum, minimum, platform, starts }: PairLimits): typeof LimitsBody.Type["limits"][number] => ({
    platform,
    startPaths: startPaths(starts, chainOf(sourceAsset)),
    ...knownTwins("minimumAmount", sourceAsset, minimum),
    ...knownTwins("maximumAmount", sourceAsset, maximum),
  })

const explained = (
  { id: quoteId, net, offer, position, record, statedDepositCost, totalDuration, ...explained }:
    ExplainedQuote,
  tolerance: BigDecimal.BigDecimal,
): typeof ExplanationBody.Type["quotes"][number] => ({
  quoteId,
  platform: offer.platform,
  type: offer.dca === undefined ? "regular" : "dca",
  position,
  ingress: holding(offer.sourceAsset, offer.amount),
  egress: holding(offer.destinationAsset, offer.egress),
  net: holding(offer.destinationAsset, net),
  guaranteed: holding(offer.destinationAsset, minimumAt(offer, tolerance)),
  estimatedPrice: offer.estimatedPrice,
  recommendedSlippageTolerancePercent: offer.recommendedSlippageTolerancePercent,
  ...optionalMembers(
    statedDepositCost,
    ({ amount, asset }) => ({ statedDepositCost: holding(asset, amount) }),
  ),
  estimateMillis: millisOf({ totalDuration }),
  time: presentTime(explained.afterDeposit, record),
  reliability: presentReliability(record),
  ...defined({ lowerBoundPpm: record.lowerBoundPpm }),
})

/** All inputs of an answer's order, the quotes as they were given. */
export const presentExplanation = (
  quoteId: QuoteId,
  { at, by, commissionBps, depositCost, preference, quotes }: ExplainedAnswer,
): typeof ExplanationBody.Type => {
  const tolerance = commonTolerance(quotes.map(({ offer }) => offer))
  const destinationAsset = quotes[0]?.offer.destinationAsset
  return {
    quoteId,
    policy: rankPolicies[by].name,
    sortsBy: rankPolicies[by].sortsBy,
    at,
    commissionBps,
    preference,
    slippageTolerancePercent: tolerance,
    ...(depositCost === undefined || destinationAsset === undefined
      ? {}
      : { depositCost: holding(destinationAsset, depositCost) }),
    quotes: quotes
      .toSorted((one, other) => one.given - other.given)
      .map((quote) => explained(quote, tolerance)),
  }
}
