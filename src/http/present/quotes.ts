import { type BoostQuoteBody, QuoteBody } from "../../api/Quotes.ts"
import { writerOf } from "../../api/bodyText.ts"
import { presentFee, seconds } from "../../api/shape.ts"
import { toHuman } from "../../domain/Amount.ts"
import { chainOf } from "../../domain/Asset.ts"
import type { Bps } from "../../domain/Bps.ts"
import type { DcaParameters } from "../../domain/SwapRequest.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { AssetAmount, BoostQuote, PoolInfo, Quote, QuoteFigures } from "../../domain/Quote.ts"
import type { Beginning } from "../../quoting/Quoting.ts"
import { startPaths } from "../../domain/Start.ts"
import { spread } from "../../platform/spread.ts"

/** The terms of an opening besides the quote. */
export interface OpeningTerms {
  /** The ways in which each provider's swaps begin. */
  readonly beginnings: ReadonlyMap<ProviderName, Beginning>
  /** The commission that the caller asked for, raised to the account's; absent where the account's applies. */
  readonly commissionBps: Bps | undefined
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

const amounts = ({ ingress, intermediate, egress, fees }: QuoteFigures) => ({
  ingressAsset: ingress.asset,
  ingressAmount: toHuman(ingress.asset, ingress.amount),
  ingressAmountNative: ingress.amount,
  ...spread(intermediate, ({ asset, amount }: AssetAmount) => ({
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
  spread(dca, ({ chunkIntervalBlocks, numberOfChunks }) => ({ chunkIntervalBlocks, numberOfChunks }))

/** Whether opening needs the amount: a transaction always moves a stated one. */
const isAmountNeeded = (beginning: Beginning | undefined): boolean =>
  beginning !== undefined && (beginning.needsAmount || !beginning.starts.includes("channel"))

/** The parameters with which `/swap` or `/tx-payload/*` opens this offer. */
const swapParameters = (
  { dca, egress, ingress, platform }: Quote,
  { beginnings, commissionBps }: OpeningTerms,
  boostFee?: Bps,
): QuoteBody["swapParameters"] => ({
  sourceAsset: ingress.asset,
  destinationAsset: egress.asset,
  ...(isAmountNeeded(beginnings.get(platform)) ? { amount: toHuman(ingress.asset, ingress.amount) } : {}),
  ...chunks(dca),
  ...spread(boostFee, (boostFee) => ({ boostFee })),
  ...spread(commissionBps, (commissionBps) => ({ commissionBps })),
  platform,
})

const presentBoost = (boost: BoostQuote, quote: Quote, terms: OpeningTerms): typeof BoostQuoteBody.Type => ({
  ...amounts(boost),
  ...outlook(boost),
  estimatedBoostFeeBps: boost.estimatedBoostFeeBps,
  ...chunks(quote.dca),
  swapParameters: swapParameters(quote, terms, boost.estimatedBoostFeeBps),
})

/** A quote as the contract shows it (decisions 18 to 22). */
export const presentQuote = (quote: Quote, terms: OpeningTerms): QuoteBody => ({
  type: quote.dca === undefined ? "regular" : "dca",
  ...amounts(quote),
  recommendedSlippageTolerancePercent: quote.recommendedSlippageTolerancePercent,
  ...outlook(quote),
  estimatedPrice: quote.estimatedPrice,
  ...spread(quote.boostQuote, (boost) => ({ boostQuote: presentBoost(boost, quote, terms) })),
  ...chunks(quote.dca),
  ...spread(quote.expiresAt, (expiresAt) => ({ expiresAt })),
  startPaths: startPaths(
    terms.beginnings.get(quote.platform)?.starts ?? [],
    chainOf(quote.ingress.asset),
  ),
  swapParameters: swapParameters(quote, terms),
  platform: quote.platform,
})

const write = writerOf(QuoteBody)

/** The text of a quote, and the terms for which it was written. */
interface Written {
  readonly commissionBps: Bps | undefined
  readonly beginning: Beginning | undefined
  readonly text: string
}

/**
 * The texts of quotes that several requests share, as writing a quote takes about a tenth of the way through the
 * routes. Quotes of one request alone are left out: so many keys cost the garbage collector 70 µs a request.
 */
const written = new WeakMap<Quote, Written>()

const isSameBeginning = (one: Beginning | undefined, other: Beginning | undefined): boolean =>
  one?.needsAmount === other?.needsAmount && one?.starts.join() === other?.starts.join()

const sharedText = (quote: Quote, terms: OpeningTerms): string => {
  const { commissionBps } = terms
  const beginning = terms.beginnings.get(quote.platform)
  const known = written.get(quote)
  if (
    known !== undefined && known.commissionBps === commissionBps &&
    isSameBeginning(known.beginning, beginning)
  ) return known.text
  const text = write(presentQuote(quote, terms))
  written.set(quote, { commissionBps, beginning, text })
  return text
}

/** The JSON text of quotes. Shared quotes are written once for all who get them on the same terms. */
export const quotesJson = (quotes: ReadonlyArray<Quote>, terms: OpeningTerms, areShared: boolean): string => {
  const textOf = areShared ? sharedText : (quote: Quote) => write(presentQuote(quote, terms))
  return `[${quotes.map((quote) => textOf(quote, terms)).join(",")}]`
}
