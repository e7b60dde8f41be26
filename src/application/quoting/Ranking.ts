import { Array, BigDecimal, Order } from "effect"
import { leastOutput, outputAt, priceWithin, type QuotedOutput } from "#domain/money/Price.ts"
import type { ProviderChoice } from "#domain/accounts/OwnTerms.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { Bps } from "#domain/money/Bps.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { AssetAmount, Quote, TimedQuote } from "#domain/quotes/Quote.ts"
import type { RankBy, RankReason } from "#domain/quotes/QuoteRank.ts"
import type { TrackRecord } from "#domain/operations/TrackRecord.ts"

/** What a ranking depends on besides the quotes. */
export interface RankTerms {
  readonly by: RankBy
  /** The providers that were asked, in the operator's order. */
  readonly preference: ReadonlyArray<ProviderName>
  /** What our own swaps tell of the provider of a quote. */
  readonly recordOf: (quote: Quote) => TrackRecord
  /** The account's own choice of providers: a preferred one comes first by `net`, within its bps. */
  readonly choice?: ProviderChoice | undefined
}

export interface RankedQuote {
  readonly quote: TimedQuote
  /** From 1. */
  readonly position: number
  /** The output less the cost of the deposit, in native units of the destination asset; below 0 if it costs more. */
  readonly net: bigint
  /** How far `net` is below the highest, in bps, rounded towards 0. */
  readonly relativeToBestBps: number
  readonly reasons: ReadonlyArray<RankReason>
  readonly record: TrackRecord
}

/** Quotes in their order, with all that decided on it. */
export interface Ranking {
  readonly by: RankBy
  readonly preference: ReadonlyArray<ProviderName>
  /** As they were given: by the operator's order of providers, each provider's in its own order. */
  readonly given: ReadonlyArray<TimedQuote>
  readonly ranked: ReadonlyArray<RankedQuote>
  /** The quote that pays the most, whatever they are ranked by; undefined where there is none. */
  readonly best: TimedQuote | undefined
  /** The cost of a deposit in the destination asset, the same for all; undefined where none is deducted. */
  readonly depositCost: bigint | undefined
}

const kind = (quote: Quote): number => quote.dca === undefined ? 0 : 1

/** The default order: most output, least input, regular before DCA, the operator's order (decision 18). */
export const netOrder = (preference: ReadonlyArray<ProviderName>): Order.Order<Quote> => (one, other) => {
  if (one.egress.amount !== other.egress.amount) return one.egress.amount > other.egress.amount ? -1 : 1
  return Order.BigInt(one.ingress.amount, other.ingress.amount) ||
    Order.Number(kind(one), kind(other)) ||
    Order.Number(preference.indexOf(one.platform), preference.indexOf(other.platform))
}

/** The estimated time in whole milliseconds, as answers show it. */
export const millisOf = ({ totalDuration }: Pick<Quote, "totalDuration">): number => Math.round(totalDuration)

/** The tolerance that all quotes are held to by `guaranteed@1`, in percent: the largest that any of them recommends. */
export const commonTolerance = (
  quotes: ReadonlyArray<Pick<Quote, "recommendedSlippageTolerancePercent">>,
): BigDecimal.BigDecimal =>
  quotes.reduce(
    (most, quote) => BigDecimal.max(most, quote.recommendedSlippageTolerancePercent),
    BigDecimal.fromBigInt(0n),
  )

/** The least that arrives if the price falls by the whole tolerance, which a price limit enforces. */
export const minimumAt = (quoted: QuotedOutput, tolerance: BigDecimal.BigDecimal): NativeAmount =>
  leastOutput(quoted, priceWithin(quoted.estimatedPrice, tolerance))

const quotedOutput = ({ egress, estimatedPrice, ingress }: Quote): QuotedOutput => ({
  amount: ingress.amount,
  egress: egress.amount,
  estimatedPrice,
  sourceAsset: ingress.asset,
  destinationAsset: egress.asset,
})

/** What providers state, one figure each, in an asset of the pair: of a provider's quotes the first that states one. */
const statedCosts = (
  { egress, ingress }: Quote,
  quotes: ReadonlyArray<Quote>,
): ReadonlyArray<AssetAmount> => {
  const costs = new Map<ProviderName, AssetAmount>()
  for (const { depositCost, platform } of quotes) {
    if (depositCost === undefined || depositCost.amount === 0n || costs.has(platform)) continue
    if (depositCost.asset === ingress.asset || depositCost.asset === egress.asset) {
      costs.set(platform, depositCost)
    }
  }
  return [...costs.values()]
}

/** The median, the lower one of two in the middle; in the destination asset, at the price of the best quote. */
const medianCost = (best: Quote, costs: ReadonlyArray<AssetAmount>): bigint | undefined => {
  const convert = ({ amount, asset }: AssetAmount): bigint =>
    asset === best.egress.asset ? amount : outputAt(best.estimatedPrice, amount, asset, best.egress.asset)
  // Amounts of one asset are in the order of what they come to: only the median itself has to be converted.
  const isOneAsset = costs.every(({ asset }) => asset === costs[0]?.asset)
  const figure = isOneAsset ? ({ amount }: AssetAmount): bigint => amount : convert
  const sorted = costs.length < 2 ? costs : Array.sort(costs, Order.mapInput(Order.BigInt, figure))
  const median = sorted[Math.floor((sorted.length - 1) / 2)]
  return median === undefined ? undefined : convert(median)
}

/** The deducted deposit cost; at most half of the best output, so that no lone cost sinks an offer. */
const depositCostOf = (
  best: Quote | undefined,
  quotes: ReadonlyArray<Quote>,
): readonly [cost: bigint | undefined, reason: RankReason] => {
  const median = best === undefined ? undefined : medianCost(best, statedCosts(best, quotes))
  if (best === undefined || median === undefined) return [undefined, "deposit_cost_unknown"]
  return 2n * median > best.egress.amount
    ? [undefined, "deposit_cost_over_half"]
    : [median, "deposit_cost_deducted"]
}

/** The figure that a policy sorts by, the best being the highest; `net` has none of its own. */
const figureOf = (
  by: RankBy,
  quotes: ReadonlyArray<Quote>,
  { recordOf }: RankTerms,
): (quote: Quote) => bigint => {
  switch (by) {
    case "net":
      return () => 0n
    case "fastest":
      return (quote) => -BigInt(millisOf(quote))
    case "guaranteed": {
      const tolerance = commonTolerance(quotes)
      return (quote) =>
        quote.exactOutput === undefined ? minimumAt(quotedOutput(quote), tolerance) : quote.egress.amount
    }
    case "reliable":
      // Without the cost of the deposit, which providers state: none of them may move the offers of the others. A quote
      // of a provider without a record comes last.
      return (quote) => {
        const { lowerBoundPpm } = recordOf(quote)
        return lowerBoundPpm === undefined ? -1n : quote.egress.amount * BigInt(lowerBoundPpm)
      }
  }
}

const behind = {
  net: "less_output",
  fastest: "slower",
  guaranteed: "lower_minimum",
  reliable: "less_reliable",
} as const satisfies Record<RankBy, RankReason>

/** Whether a quote pays more than another by more than `bps`, for the same input. */
const paysMoreBy = (bps: Bps, one: Quote, other: Quote): boolean =>
  one.egress.amount * other.ingress.amount * 10_000n >
    other.egress.amount * one.ingress.amount * (10_000n + BigInt(bps))

/** The quotes with the first one of a preferred provider in front, unless the best pays too much more. */
const preferring = (
  choice: ProviderChoice | undefined,
  quotes: ReadonlyArray<TimedQuote>,
): ReadonlyArray<TimedQuote> => {
  if (choice?.use !== "preferred") return quotes
  const [best] = quotes
  const own = quotes.find(({ platform }) => platform === choice.provider)
  return best === undefined || own === undefined || paysMoreBy(choice.unlessBps, best, own)
    ? quotes
    : [own, ...quotes.filter((quote) => quote !== own)]
}

/** Why a quote stands behind the one before it. */
const reasonBehind = (
  quote: Quote,
  before: Quote,
  by: RankBy,
  figure: (quote: Quote) => bigint,
): RankReason => {
  if (figure(quote) !== figure(before)) return behind[by]
  if (quote.egress.amount !== before.egress.amount) return "less_output"
  if (quote.ingress.amount !== before.ingress.amount) return "more_input"
  return kind(quote) === kind(before) ? "operators_order" : "regular_before_dca"
}

const relativeBps = (net: bigint, best: bigint): number =>
  best <= 0n ? 0 : Number((net - best) * 10_000n / best)

/** Ranks quotes. What is given first stays first where nothing decides. */
export const rank = (given: ReadonlyArray<TimedQuote>, terms: RankTerms): Ranking => {
  const { by, choice, preference, recordOf } = terms
  const byNet = netOrder(preference)
  const inNetOrder = given.length < 2 ? given : Array.sort(given, byNet)
  const [best] = inNetOrder
  const [depositCost, costReason] = depositCostOf(best, given)
  const cost = depositCost ?? 0n
  const figure = figureOf(by, given, terms)
  const quotes = by === "net"
    ? preferring(choice, inNetOrder)
    : Array.sort(inNetOrder, Order.flip(Order.mapInput(Order.BigInt, figure)))
  const bestNet = (best?.egress.amount ?? 0n) - cost
  const ranked = quotes.map((quote, index): RankedQuote => {
    const before = quotes[index - 1]
    const isPreferred = quotes[0] !== inNetOrder[0] && by === "net" && index < 2
    const place = isPreferred
      ? "preferred_provider"
      : before === undefined
      ? quotes.length === 1 ? "only_offer" : "first"
      : reasonBehind(quote, before, by, figure)
    const record = recordOf(quote)
    const net = quote.egress.amount - cost
    return {
      quote,
      position: index + 1,
      net,
      relativeToBestBps: relativeBps(net, bestNet),
      reasons: record.lowerBoundPpm === undefined && by === "reliable"
        ? [place, costReason, "fewer_than_20_swaps"]
        : [place, costReason],
      record,
    }
  })
  return { by, preference, given, ranked, best, depositCost }
}
