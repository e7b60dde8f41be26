import { Array, BigDecimal, Option } from "effect"
import type { ComparisonBody, ExplanationBody } from "../../api/QuoteBodies.ts"
import { type NativeAmount, toHuman } from "../../domain/Amount.ts"
import { type AssetId, factsOf } from "../../domain/Asset.ts"
import type { ProviderError } from "../../domain/ProviderError.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { QuoteId } from "../../domain/QuoteOffer.ts"
import { rankPolicies } from "../../domain/QuoteRank.ts"
import { spread } from "../../platform/spread.ts"
import type { ExplainedAnswer } from "../../quoting/QuoteIds.ts"
import type { LeastAmount } from "../../quoting/leastAmount.ts"
import { commonTolerance, millisOf, minimumAt, type RankedQuote } from "../../quoting/Ranking.ts"
import { providerAnswer } from "../providerProblem.ts"
import type { OfRequest } from "../told.ts"
import { type Answered, type OpeningTerms, presentQuote, presentReliability, presentTime } from "./quotes.ts"

type NotRanked = typeof ComparisonBody.Type["notRanked"][number]

const amountOf = (asset: AssetId, amount: bigint) => ({
  asset,
  amount: BigDecimal.make(amount, factsOf(asset).decimals),
  amountNative: amount,
})

const nativeOf = (asset: AssetId, amount: NativeAmount) => ({
  asset,
  amount: toHuman(asset, amount),
  amountNative: amount,
})

/** Why a provider gave no quote. One that succeeded without any has none for the amount. */
const notRanked = (
  platform: ProviderName,
  failures: ReadonlyArray<ProviderError>,
  request: OfRequest,
): NotRanked => {
  const failure = failures.find(({ provider }) => provider === platform)
  if (failure === undefined) return { platform, reason: "The provider has no quote for this request" }
  const { code, detail } = { code: undefined, ...providerAnswer(request)(failure) }
  return { platform, ...spread(code, (code) => ({ code })), reason: detail }
}

/** The answer of a comparison. */
export const presentComparison = (
  { answered, failures, least, providers, sourceAsset, terms }: {
    readonly answered: Answered
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
    ...spread(Option.getOrUndefined(least), ({ amount, platform }) => ({
      effectiveMinimum: { ...nativeOf(sourceAsset, amount), platform },
    })),
  }
}

const explained = (
  { net, position, quote, record }: RankedQuote,
  quoteId: QuoteId,
  tolerance: BigDecimal.BigDecimal,
): typeof ExplanationBody.Type["quotes"][number] => ({
  quoteId,
  platform: quote.platform,
  type: quote.dca === undefined ? "regular" : "dca",
  position,
  ingress: nativeOf(quote.ingress.asset, quote.ingress.amount),
  egress: nativeOf(quote.egress.asset, quote.egress.amount),
  net: amountOf(quote.egress.asset, net),
  guaranteed: nativeOf(quote.egress.asset, minimumAt(quote, tolerance)),
  estimatedPrice: quote.estimatedPrice,
  recommendedSlippageTolerancePercent: quote.recommendedSlippageTolerancePercent,
  estimateMillis: millisOf(quote),
  time: presentTime(quote.totalDuration, record),
  reliability: presentReliability(record),
  ...spread(record.lowerBoundPpm, (lowerBoundPpm) => ({ lowerBoundPpm })),
})

/** All inputs of an answer's order, the quotes as they were given. */
export const presentExplanation = (
  quoteId: QuoteId,
  { at, commissionBps, ids, ranking }: ExplainedAnswer,
): typeof ExplanationBody.Type => {
  const { by, depositCost, given, preference, ranked } = ranking
  const tolerance = commonTolerance(given)
  const [{ destinationAsset } = { destinationAsset: undefined }] = given.map(({ egress }) => ({
    destinationAsset: egress.asset,
  }))
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
      : { depositCost: amountOf(destinationAsset, depositCost) }),
    quotes: Array.zip(ranked, ids)
      .toSorted(([one], [other]) => given.indexOf(one.quote) - given.indexOf(other.quote))
      .map(([ranked, id]) => explained(ranked, id, tolerance)),
  }
}
