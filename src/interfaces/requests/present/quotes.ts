import { type BoostQuoteBody, OfferBody, type QuoteBody, QuoteFactsBody } from "#api/QuoteBodies.ts"
import { presentExactOutput } from "#api/exactOutput.ts"
import { membersWriterOf } from "#api/bodyText.ts"
import { presentFee, seconds, type ValueOf, withValues } from "#api/shape.ts"
import { BigDecimal } from "effect"
import { presentPrices, type UsdPrices } from "#domain/money/UsdValue.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { toHuman } from "#domain/money/Amount.ts"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { Bps } from "#domain/money/Bps.ts"
import type { DcaParameters } from "#domain/swaps/SwapRequest.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import {
  afterDeposit,
  type AssetAmount,
  type BoostQuote,
  type PoolInfo,
  type Quote,
  type QuoteFigures,
  type TimedQuote,
} from "#domain/quotes/Quote.ts"
import { type RankBy, rankPolicies } from "#domain/quotes/QuoteRank.ts"
import { recordDays, type TrackRecord } from "#domain/operations/TrackRecord.ts"
import type { Beginning, IdentifiedQuote, IdentifiedQuotes } from "#application/quoting/RankedQuotes.ts"
import { startPaths } from "#domain/swaps/Start.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"

/** The terms of an opening besides the quote. */
export interface OpeningTerms {
  /** The ways in which each provider's swaps begin. */
  readonly beginnings: ReadonlyMap<ProviderName, Beginning>
  /** The commission that the caller asked for, raised to the account's; absent where the account's applies. */
  readonly commissionBps: Bps | undefined
  /** Whether boost quotes have their price: a term of the account (decision 21). */
  readonly hasBoostPrice: boolean
  /** The prices of whole units, and when the answer is given. */
  readonly prices: UsdPrices
  readonly at: EpochMillis
}

const amountOf = ({ asset, amount }: AssetAmount) => ({
  asset,
  amount: toHuman(asset, amount),
  amountNative: amount,
})

const presentPool = ({ baseAsset, quoteAsset, fee }: PoolInfo) => ({
  baseAsset,
  quoteAsset,
  fee: amountOf(fee),
})

const amounts = ({ ingress, intermediate, egress, fees }: QuoteFigures, valueOf: ValueOf) => ({
  ingressAsset: ingress.asset,
  ingressAmount: toHuman(ingress.asset, ingress.amount),
  ingressAmountNative: ingress.amount,
  ...optionalMembers(intermediate, ({ asset, amount }: AssetAmount) => ({
    intermediateAsset: asset,
    intermediateAmount: toHuman(asset, amount),
    intermediateAmountNative: amount,
  })),
  egressAsset: egress.asset,
  egressAmount: toHuman(egress.asset, egress.amount),
  egressAmountNative: egress.amount,
  ...defined({
    ingressValueUsd: valueOf(ingress.asset, ingress.amount),
    intermediateValueUsd: intermediate && valueOf(intermediate.asset, intermediate.amount),
    egressValueUsd: valueOf(egress.asset, egress.amount),
  }),
  includedFees: fees.map(presentFee(valueOf)),
})

const estimateText = ({ lowLiquidityWarning, pools, durations, totalDuration }: QuoteFigures) => ({
  lowLiquidityWarning,
  poolInfo: pools.map(presentPool),
  estimatedDurationSeconds: seconds(totalDuration),
  estimatedDurationsSeconds: {
    deposit: seconds(durations.deposit),
    swap: seconds(durations.swap),
    egress: seconds(durations.egress),
  },
})

const chunks = (dca: DcaParameters | undefined) =>
  optionalMembers(dca, ({ chunkIntervalBlocks, numberOfChunks }) => ({ chunkIntervalBlocks, numberOfChunks }))

/** Whether the first way to begin needs the amount: a transaction always moves a stated one. */
const isAmountNeeded = (beginning: Beginning | undefined): boolean =>
  beginning !== undefined && (beginning.needsAmount || beginning.starts[0] !== "channel")

/** The parameters with which `/swap` or `/tx-payload/*` opens this offer. */
const swapParameters = (
  { dca, egress, exactOutput, ingress, platform }: Quote,
  { beginnings, commissionBps }: OpeningTerms,
  boostFee?: Bps,
): QuoteBody["swapParameters"] => ({
  sourceAsset: ingress.asset,
  destinationAsset: egress.asset,
  ...(exactOutput !== undefined
    ? { amountOutNative: exactOutput.amount }
    : isAmountNeeded(beginnings.get(platform))
    ? { amountNative: ingress.amount }
    : {}),
  ...chunks(dca),
  ...defined({ boostFee, commissionBps }),
  platform,
})

const presentBoost = (boost: BoostQuote, quote: Quote, terms: OpeningTerms): typeof BoostQuoteBody.Type => ({
  ...withValues(presentPrices(terms), (valueOf) => amounts(boost, valueOf)),
  ...estimateText(boost),
  ...(terms.hasBoostPrice ? defined({ estimatedPrice: boost.estimatedPrice }) : {}),
  estimatedBoostFeeBps: boost.estimatedBoostFeeBps,
  maximumBoostFeeBps: boost.maximumBoostFeeBps,
  ...chunks(quote.dca),
  swapParameters: swapParameters(quote, terms, boost.maximumBoostFeeBps),
})

/** An offer as the contract shows it (decisions 18 to 22, 69). */
const presentOffer = (quote: TimedQuote, terms: OpeningTerms): typeof OfferBody.Type => ({
  type: quote.dca === undefined ? "regular" : "dca",
  ...withValues(presentPrices(terms), (valueOf) => amounts(quote, valueOf)),
  recommendedSlippageTolerancePercent: quote.recommendedSlippageTolerancePercent,
  slippageTolerancePercent: quote.slippageTolerancePercent,
  highSlippageWarning: BigDecimal.isGreaterThan(
    quote.recommendedSlippageTolerancePercent,
    quote.slippageTolerancePercent,
  ),
  ...estimateText(quote),
  ...defined({ priceImpactPercent: quote.priceImpactPercent }),
  estimatedPrice: quote.estimatedPrice,
  ...optionalMembers(quote.exactOutput, (exactOutput) => ({
    exactOutput: presentExactOutput(exactOutput, {
      sourceAsset: quote.ingress.asset,
      destinationAsset: quote.egress.asset,
    }),
  })),
  ...optionalMembers(quote.boostQuote, (boost) => ({ boostQuote: presentBoost(boost, quote, terms) })),
  ...chunks(quote.dca),
  expiresAt: quote.expiresAt,
  startPaths: startPaths(terms.beginnings.get(quote.platform)?.starts ?? [], chainOf(quote.ingress.asset)),
  swapParameters: swapParameters(quote, terms),
  platform: quote.platform,
})

const millionths = 6

/** A track record as the contract shows it. */
export const presentReliability = (
  { completed, failed, lowerBoundPpm, n, refunded, stalled }: TrackRecord,
): typeof QuoteFactsBody.Type["reliability"] => ({
  completed,
  refunded,
  failed,
  stalled,
  n,
  ...optionalMembers(lowerBoundPpm, (ppm) => ({ lowerBound: BigDecimal.make(BigInt(ppm), millionths) })),
})

/** The times of a quote as the contract shows them; the estimate is that of the time after the deposit. */
export const presentTime = (
  estimate: number,
  { times }: TrackRecord,
): typeof QuoteFactsBody.Type["time"] => ({
  estimateSeconds: seconds(estimate),
  ...optionalMembers(times, ({ p50, p90 }) => ({ observedP50: p50, observedP90: p90 })),
  n: times?.n ?? 0,
  windowDays: recordDays,
})

/** What an answer says of a quote beside the offer. */
const presentFacts = (
  { id, ranked: { net, position, quote, reasons, record, relativeToBestBps } }: IdentifiedQuote,
  by: RankBy,
): typeof QuoteFactsBody.Type => ({
  quoteId: id,
  rank: {
    position,
    policy: rankPolicies[by].name,
    net: {
      asset: quote.egress.asset,
      amount: BigDecimal.make(net, factsOf(quote.egress.asset).decimals),
      amountNative: net,
    },
    relativeToBestBps,
    reasons,
  },
  time: presentTime(afterDeposit(quote.durations), record),
  reliability: presentReliability(record),
})

/** A quote as the contract shows it. */
export const presentQuote = (identified: IdentifiedQuote, by: RankBy, terms: OpeningTerms): QuoteBody => ({
  ...presentFacts(identified, by),
  ...presentOffer(identified.ranked.quote, terms),
})

const writeFacts = membersWriterOf(QuoteFactsBody)
const writeOffer = membersWriterOf(OfferBody)

/** The text of an offer's members, and the terms for which it was written. */
interface WrittenQuote extends Pick<OpeningTerms, "commissionBps" | "hasBoostPrice" | "prices"> {
  readonly beginning: Beginning | undefined
  readonly text: string
}

/**
 * The texts of offers that several requests share, as writing an offer takes about a tenth of the way through the
 * routes. Offers of one request alone are left out: so many keys cost the garbage collector 70 µs a request. Ids and
 * ranks are of one answer, so they are written for each, before the offer.
 */
const written = new WeakMap<Quote, WrittenQuote>()

const isSameBeginning = (one: Beginning | undefined, other: Beginning | undefined): boolean =>
  one?.needsAmount === other?.needsAmount && one?.starts.join() === other?.starts.join()

const sharedText = (quote: TimedQuote, terms: OpeningTerms): string => {
  const { commissionBps, hasBoostPrice, prices } = terms
  const beginning = terms.beginnings.get(quote.platform)
  const known = written.get(quote)
  if (
    known !== undefined && known.commissionBps === commissionBps && known.hasBoostPrice === hasBoostPrice &&
    known.prices === prices && isSameBeginning(known.beginning, beginning)
  ) return known.text
  const text = writeOffer(presentOffer(quote, terms))
  written.set(quote, { commissionBps, hasBoostPrice, prices, beginning, text })
  return text
}

/** The JSON text of quotes. Shared offers are written once for all who get them on the same terms. */
export const quotesJson = (
  { by, quotes }: IdentifiedQuotes,
  terms: OpeningTerms,
  areShared: boolean,
): string => {
  const textOf = areShared ? sharedText : (quote: TimedQuote) => writeOffer(presentOffer(quote, terms))
  const texts = quotes.map((quote) =>
    `{${writeFacts(presentFacts(quote, by))},${textOf(quote.ranked.quote, terms)}}`
  )
  return `[${texts.join(",")}]`
}
