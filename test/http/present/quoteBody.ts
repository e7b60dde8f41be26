import type { BoostQuoteBody, QuoteBody } from "../../../src/api/Quotes.ts"
import { toHuman } from "../../../src/domain/Amount.ts"
import type { DcaParameters } from "../../../src/domain/Dca.ts"
import type { AssetAmount, BoostQuote, PoolInfo, Quote, QuoteFigures } from "../../../src/domain/Quote.ts"
import type { OpeningTerms } from "../../../src/http/present/quotesJson.ts"
import { presentFee } from "../../../src/api/present/fee.ts"
import { seconds, when } from "../../../src/api/present/figures.ts"

const presentPool = ({ baseAsset, quoteAsset, fee }: PoolInfo) => ({
  baseAsset,
  quoteAsset,
  fee: { asset: fee.asset, amount: toHuman(fee.asset, fee.amount), amountNative: fee.amount },
})

const amounts = ({ ingress, intermediate, egress, fees }: QuoteFigures) => ({
  ingressAsset: ingress.asset,
  ingressAmount: toHuman(ingress.asset, ingress.amount),
  ingressAmountNative: ingress.amount,
  ...when(intermediate, ({ asset, amount }: AssetAmount) => ({
    intermediateAsset: asset,
    intermediateAmount: toHuman(asset, amount),
    intermediateAmountNative: amount,
  })),
  egressAsset: egress.asset,
  egressAmount: toHuman(egress.asset, egress.amount),
  egressAmountNative: egress.amount,
  includedFees: fees.map(presentFee),
})

const outlook = ({ lowLiquidityWarning, pools, durations, totalDuration }: QuoteFigures) => ({
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
  when(dca, ({ chunkIntervalBlocks, numberOfChunks }) => ({ chunkIntervalBlocks, numberOfChunks }))

const swapParameters = (
  quote: Quote,
  terms: OpeningTerms,
  boostFee?: number,
): QuoteBody["swapParameters"] => ({
  sourceAsset: quote.ingress.asset,
  destinationAsset: quote.egress.asset,
  ...(terms.needsAmount.includes(quote.platform)
    ? { amount: toHuman(quote.ingress.asset, quote.ingress.amount) }
    : {}),
  ...chunks(quote.dca),
  ...when(boostFee, (boostFee) => ({ boostFee })),
  ...when(terms.commissionBps, (commissionBps) => ({ commissionBps })),
  platform: quote.platform,
})

const presentBoost = (boost: BoostQuote, quote: Quote, terms: OpeningTerms): typeof BoostQuoteBody.Type => ({
  ...amounts(boost),
  ...outlook(boost),
  estimatedBoostFeeBps: boost.estimatedBoostFeeBps,
  ...chunks(quote.dca),
  swapParameters: swapParameters(quote, terms, boost.estimatedBoostFeeBps),
})

/** The body of a quote (decisions 18 to 22) made plainly, for the contract's schema to encode. */
export const quoteBody = (quote: Quote, terms: OpeningTerms): QuoteBody => ({
  type: quote.dca === undefined ? "regular" : "dca",
  ...amounts(quote),
  recommendedSlippageTolerancePercent: quote.recommendedSlippageTolerancePercent,
  ...outlook(quote),
  estimatedPrice: quote.estimatedPrice,
  ...when(quote.boostQuote, (boost) => ({ boostQuote: presentBoost(boost, quote, terms) })),
  ...chunks(quote.dca),
  swapParameters: swapParameters(quote, terms),
  platform: quote.platform,
})
