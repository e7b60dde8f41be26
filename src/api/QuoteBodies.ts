import { Schema } from "effect"
import { AssetId } from "#domain/chains/Asset.ts"
import { ProblemCode } from "#domain/ProblemCode.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { QuoteId } from "#domain/quotes/BoundQuote.ts"
import { RankPolicy, RankReason } from "#domain/quotes/QuoteRank.ts"
import { ExactOutputBody } from "./exactOutput.ts"
import {
  ExactDecimal,
  FeeBody,
  maybe,
  member,
  NativeText,
  SignedNativeText,
  StartPaths,
  valueTimes,
  valueUsd,
} from "./shape.ts"
import { optional } from "#domain/optional.ts"

const PoolInfoBody = Schema.Struct({
  baseAsset: AssetId,
  quoteAsset: AssetId,
  fee: Schema.Struct({ asset: AssetId, amount: ExactDecimal, amountNative: NativeText }),
}).annotate({ identifier: "PoolInfo" })

const amounts = {
  ingressAsset: AssetId,
  ...member.amount("ingressAmount", "The deposit, in units of `ingressAsset`."),
  ingressValueUsd: maybe.decimal("Value of the deposit in US dollars. Absent if no recent price is known."),
  intermediateAsset: maybe.of(AssetId, "Asset between the two pools of the route; absent with one pool."),
  ...maybe.amount("intermediateAmount"),
  intermediateValueUsd: valueUsd,
  egressAsset: AssetId,
  ...member.amount("egressAmount", "The payout after all fees, in units of `egressAsset`."),
  egressValueUsd: maybe.decimal("Value of the payout in US dollars. Absent if no recent price is known."),
  includedFees: Schema.Array(FeeBody),
  ...valueTimes,
}

const outlook = {
  lowLiquidityWarning: Schema.Boolean,
  poolInfo: member.of(Schema.Array(PoolInfoBody), "The pools of the route."),
  estimatedDurationSeconds: ExactDecimal,
  estimatedDurationsSeconds: member.of(
    Schema.Struct({
      deposit: member.decimal("Seconds until the deposit is confirmed."),
      swap: member.decimal("Seconds for the swap itself."),
      egress: member.decimal("Seconds until the payment is on its chain."),
    }),
    "Expected seconds, by part of the swap.",
  ),
}

const chunks = { chunkIntervalBlocks: optional(Schema.Int), numberOfChunks: optional(Schema.Int) }

const recommendedSlippageTolerancePercent = member.decimal(
  "Suggested slippage tolerance, in percent, at most 50.",
)
const estimatedPrice = member.decimal(
  "Payout for one unit of the source asset; a `minimumPrice` is calculated from this price.",
)

/** The parameters of `startPaths` that open the offer beside them. */
const SwapParametersBody = Schema.Struct({
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  amountNative: optional(NativeText),
  amountOutNative: optional(NativeText),
  ...chunks,
  boostFee: maybe.count("The highest boost fee that is accepted, in basis points."),
  commissionBps: optional(Schema.Int),
  platform: ProviderName,
}).annotate({
  identifier: "SwapParameters",
  description:
    "The parameters for the first of `startPaths`, beside the addresses and the `quoteId`: they open exactly this quote. " +
    "`amountNative` is present if the provider prices each deposit or takes only transactions, `amountOutNative` if the " +
    "request had an `amountOut`, and `commissionBps` if the request had one. An opening without these parameters may use " +
    "another provider, with another price and a higher minimum deposit.",
})

/** A boost quote: no `type`, no `recommendedSlippageTolerancePercent`, and `estimatedPrice` by a term alone (decision 21). */
export const BoostQuoteBody = Schema.Struct({
  ...amounts,
  ...outlook,
  estimatedPrice: maybe.decimal("Only with the account's term `boostEstimatedPrice`."),
  estimatedBoostFeeBps: member.count("Expected boost fee, in basis points."),
  maximumBoostFeeBps: member.count(
    "The highest boost fee that can be charged, in basis points: with a lower `boostFee` the deposit is not boosted.",
  ),
  ...chunks,
  swapParameters: member.of(SwapParametersBody, "The parameters that open exactly this quote."),
}).annotate({ identifier: "BoostQuote", description: "The faster quote for a Bitcoin deposit." })

const SignedAmountBody = Schema.Struct({
  asset: AssetId,
  amount: ExactDecimal,
  amountNative: SignedNativeText,
})

const RankBody = Schema.Struct({
  position: member.count("From 1, in this response."),
  policy: RankPolicy.annotate({ description: "What the response is sorted by, with its version." }),
  net: SignedAmountBody.annotate({
    description:
      "The output less what it typically costs to make the deposit on the source chain, which is the same for every " +
      "quote of a response: the median of what the providers of the response state, one figure each and the lower of two in " +
      "the middle, converted at the estimatedPrice of the quote that pays the most and rounded half up. 0 is counted where none states a cost " +
      "(`deposit_cost_unknown` in `reasons`), or where it is more than half of that quote's output " +
      "(`deposit_cost_over_half`): the deposit may then not be worth making. No order depends on it.",
  }),
  relativeToBestBps: member.count(
    "How far `net` is from the highest of the response, in basis points: 0, or below it (−20000 at the least).",
  ),
  reasons: Schema.Array(RankReason).annotate({
    description:
      "Why it ranks behind the quote before it, what is counted for the deposit, and, where the response is " +
      "ranked by reliability, that there are too few swaps to tell.",
  }),
}).annotate({ identifier: "Rank", description: "Its rank in the response, and why." })

const TimeBody = Schema.Struct({
  estimateSeconds: member.decimal(
    "The provider's estimate from when the deposit is credited, as observedP50: estimatedDurationSeconds without its part `deposit`.",
  ),
  observedP50: maybe.count(
    "Seconds from when the deposit was credited to the payout that half of our own swaps took at most; refunds are not " +
      "among them. Absent where none is known.",
  ),
  observedP90: maybe.count("The same of nine in ten swaps."),
  n: member.count("The number of swaps whose times are known."),
  windowDays: member.count("Days that these figures cover."),
}).annotate({
  identifier: "QuoteTime",
  description: "How long it takes, by the provider's estimate and by our own swaps.",
})

const ReliabilityBody = Schema.Struct({
  completed: member.count("Swaps that paid out."),
  refunded: member.count(
    "Swaps whose deposit was refunded, except where their own minimum price could not be met or the payment came late.",
  ),
  failed: member.count("Swaps that ended otherwise, except for payments that were too small."),
  stalled: member.count("Swaps that have stayed in a state longer than it may last, now."),
  n: member.count("The number of all these swaps."),
  lowerBound: maybe.decimal(
    "The lower end of the 95 % Wilson interval of completed / n, in millionths, rounded down; absent below 20 swaps.",
  ),
}).annotate({
  identifier: "Reliability",
  description:
    "How the latest swaps of this installation with this provider ended, between the same two chains: of each pair up to " +
    "200 of the last 30 days, and those that have stalled now. Of one account at most a tenth of that, 20, or a tenth of " +
    "all where that is more. Ends that follow from the swap's own terms are not counted.",
})

/** What an answer says of a quote beside the offer itself. */
export const QuoteFactsBody = Schema.Struct({
  quoteId: QuoteId.annotate({
    description:
      "Opens exactly this quote in `/swap` and `/tx-payload/*`, until `expiresAt`. Opaque, for this account only.",
  }),
  rank: member.of(RankBody, "Position in the response, and its reasons."),
  time: member.of(TimeBody, "Expected and observed duration."),
  reliability: member.of(ReliabilityBody, "Results of recent swaps with the provider."),
})

export const OfferBody = Schema.Struct({
  type: member.of(Schema.Literals(["regular", "dca"]), "Whether the swap runs at once or in parts (`dca`)."),
  ...amounts,
  recommendedSlippageTolerancePercent,
  slippageTolerancePercent: member.decimal(
    "Tolerance that applies if the opening gives none: the recommended one, up to the operator's limit (5 by default).",
  ),
  highSlippageWarning: member.yesOrNo(
    "Whether the provider recommends more than `slippageTolerancePercent`. The swap may then be refunded. To accept a " +
      "lower price, give `/swap` your own `slippageTolerancePercent`.",
  ),
  ...outlook,
  priceImpactPercent: maybe.decimal(
    "How far the price is below that of a small amount, in percent, without fees. Absent if the provider gives no " +
      "impact. Above 5, `lowLiquidityWarning` is true.",
  ),
  estimatedPrice,
  exactOutput: maybe.of(ExactOutputBody, "Limits of a quote for `amountOut`."),
  boostQuote: maybe.of(BoostQuoteBody, "The faster quote for a Bitcoin deposit."),
  ...chunks,
  expiresAt: member.time("When the quote expires, in epoch milliseconds. Open it by its `quoteId` before."),
  startPaths: StartPaths.annotate({
    description:
      "The endpoints that begin this swap, the one that `start` asks for first: `/swap` opens a deposit channel, " +
      "`/tx-payload/*` makes a transaction for the user to sign. Never empty.",
  }),
  swapParameters: member.of(SwapParametersBody, "The parameters that open exactly this quote."),
  platform: ProviderName,
})

/** A quote in the form of the contract, with `platform` as its last member (decision 18). */
export const QuoteBody = Schema.Struct({ ...QuoteFactsBody.fields, ...OfferBody.fields }).annotate({
  identifier: "Quote",
  description: "A provider's price for a pair and an amount, and the parameters that open it.",
})
export type QuoteBody = typeof QuoteBody.Type

const AmountBody = Schema.Struct({ asset: AssetId, amount: ExactDecimal, amountNative: NativeText })

/** Quotes beside the providers that gave none, and the least that any quotes for. */
export const ComparisonBody = Schema.Struct({
  policy: RankPolicy.annotate({ description: "What the quotes are sorted by, with its version." }),
  quotes: Schema.Array(QuoteBody).annotate({
    description: "The best quote comes first. Empty if no provider has a quote: `notRanked` says why.",
  }),
  notRanked: Schema.Array(
    Schema.Struct({
      platform: ProviderName,
      code: optional(ProblemCode.annotate({ description: "Where the failure has one." })),
      reason: member.text("For people; wording can change, never branch on it."),
    }).annotate({ identifier: "NotRanked" }),
  ).annotate({
    description:
      "The providers that gave no quote, or were left out as `start` asks for others, in the operator's order.",
  }),
  effectiveMinimum: optional(
    Schema.Struct({
      ...AmountBody.fields,
      platform: ProviderName.annotate({ description: "The provider that quotes for as little." }),
    }).annotate({
      identifier: "EffectiveMinimum",
      description:
        "The minimum deposit that any provider quotes for at this commission: with one unit less, all refuse. Found by " +
        "requests to the providers, and stored for a minute. Absent if unknown.",
    }),
  ),
}).annotate({ identifier: "QuoteComparison" })

export const PairLimitsBody = Schema.Struct({
  platform: ProviderName,
  startPaths: StartPaths,
  ...maybe.amount(
    "minimumAmount",
    "The smallest deposit: it covers all fees, and a smaller one can be lost. Absent if the provider states none.",
  ),
  ...maybe.amount("maximumAmount", "The largest deposit. Absent if the provider states none."),
}).annotate({ identifier: "PairLimits" })

export const LimitsBody = Schema.Struct({
  limits: member.of(
    Schema.Array(PairLimitsBody),
    "One for each provider that swaps the pair, the preferred first.",
  ),
}).annotate({ identifier: "Limits" })

const ExplainedQuoteBody = Schema.Struct({
  quoteId: QuoteId.annotate({ description: "The id of the quote." }),
  platform: ProviderName,
  type: Schema.Literals(["regular", "dca"]),
  position: member.count("Its place in the response, from 1."),
  ingress: AmountBody.annotate({ description: "The amount that was quoted for." }),
  egress: AmountBody.annotate({ description: "What arrives, net of every fee that the provider states." }),
  net: SignedAmountBody.annotate({ description: "`egress` less the cost of the deposit." }),
  guaranteed: AmountBody.annotate({
    description:
      "`egress` less what the whole amount loses when the price falls from estimatedPrice to the limit: estimatedPrice × " +
      "amount rounded up, less limit × amount rounded down, in native units. The limit is estimatedPrice × (100 − " +
      "slippageTolerancePercent) / 100.",
  }),
  estimatedPrice,
  recommendedSlippageTolerancePercent,
  statedDepositCost: optional(AmountBody.annotate({
    description:
      "What a plain payment of the source asset costs its sender on the source chain, as the provider states it; absent " +
      "where it does not. Of a provider's quotes the first counts that states more than 0 in an asset of the pair.",
  })),
  estimateMillis: member.count("The provider's estimate, in milliseconds."),
  time: QuoteFactsBody.fields.time,
  reliability: QuoteFactsBody.fields.reliability,
  lowerBoundPpm: maybe.count("`reliability.lowerBound` in millionths; absent where that is."),
}).annotate({ identifier: "ExplainedQuote" })

/** All that decided on the order of an answer, so that anyone can sort it again. */
export const ExplanationBody = Schema.Struct({
  quoteId: QuoteId.annotate({ description: "The quote that was asked about." }),
  policy: RankPolicy.annotate({ description: "What the response was sorted by, with its version." }),
  sortsBy: member.text("What the policy sorts by."),
  at: member.time("When the response was given, in epoch milliseconds."),
  commissionBps: member.count("The whole commission in the figures, in basis points."),
  preference: Schema.Array(ProviderName).annotate({
    description: "The providers that were asked, in the operator's order, which decides between equals.",
  }),
  slippageTolerancePercent: member.decimal(
    "The tolerance of `guaranteed`: the largest that a quote of the response recommends.",
  ),
  depositCost: optional(SignedAmountBody.annotate({
    description:
      "What is deducted for making the deposit, in the destination asset: the median of `statedDepositCost`, as `net` " +
      "of a quote's rank tells. Absent where nothing is.",
  })),
  quotes: Schema.Array(ExplainedQuoteBody).annotate({
    description:
      "In the order in which they were given, which stays where nothing else decides: by the operator's order of " +
      "providers, each provider's in its own order.",
  }),
}).annotate({ identifier: "QuoteExplanation" })
