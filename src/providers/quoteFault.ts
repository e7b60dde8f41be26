import { BigDecimal } from "effect"
import type { DcaParameters } from "../domain/Dca.ts"
import { toX128 } from "../domain/Price.ts"
import type { Quote, QuoteFigures, QuoteRequest } from "../domain/Quote.ts"
import { longestSwapMillis } from "../domain/Time.ts"

/** Prices travel as 256 bits, of which 128 are places after the point. */
const priceEnd = 2n ** 256n

const hundredPercent = BigDecimal.fromBigInt(100n)

const isPrice = ({ estimatedPrice }: Quote, { destinationAsset, sourceAsset }: QuoteRequest): boolean => {
  const x128 = toX128(estimatedPrice, sourceAsset, destinationAsset)
  return x128 > 0n && x128 < priceEnd
}

const isDuration = (millis: number): boolean =>
  Number.isFinite(millis) && millis >= 0 && millis <= longestSwapMillis

const isDca = ({ chunkIntervalBlocks, numberOfChunks }: DcaParameters): boolean =>
  numberOfChunks > 0 && chunkIntervalBlocks > 0

/** Whatever is taken of the deposit is taken out of it. */
const areFeesCovered = ({ fees, ingress }: QuoteFigures): boolean =>
  fees.filter(({ asset }) => asset === ingress.asset)
    .reduce((sum, { amount }) => sum + amount, 0n) <= ingress.amount

const figuresFault = (
  { amount, destinationAsset, sourceAsset }: QuoteRequest,
  figures: QuoteFigures,
): string | undefined => {
  const { durations, egress, ingress, totalDuration } = figures
  if (ingress.asset !== sourceAsset) return `a quote from ${ingress.asset}, asked was ${sourceAsset}`
  if (egress.asset !== destinationAsset) return `a quote to ${egress.asset}, asked was ${destinationAsset}`
  if (ingress.amount !== amount) return `a quote for ${ingress.amount} native units, asked was ${amount}`
  if (egress.amount === 0n) return "a quote of nothing"
  if (!areFeesCovered(figures)) return "a quote with fees above the amount"
  return [durations.deposit, durations.swap, durations.egress, totalDuration].every(isDuration)
    ? undefined
    : "a quote with a duration of more than 30 days"
}

/**
 * What is wrong with a quote, whoever made it: it answers another question than was asked, or its figures are
 * beyond what there can be; nothing where it may be shown.
 */
export const quoteFault = (request: QuoteRequest, quote: Quote): string | undefined => {
  const fault = figuresFault(request, quote) ??
    (quote.boostQuote === undefined ? undefined : figuresFault(request, quote.boostQuote))
  if (fault !== undefined) return fault
  if (!isPrice(quote, request)) return "a quote with a price that the assets cannot have"
  if (quote.dca !== undefined && !isDca(quote.dca)) return "a quote in no chunks"
  return BigDecimal.between(quote.recommendedSlippageTolerancePercent, {
      minimum: BigDecimal.fromBigInt(0n),
      maximum: hundredPercent,
    })
    ? undefined
    : "a quote with a slippage tolerance above 100 %"
}
