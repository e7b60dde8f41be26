import { BigDecimal, Effect } from "effect"
import { accountText } from "../domain/address/accountBytes.ts"
import { chainOf } from "../domain/Asset.ts"
import type { DcaParameters, SwapRequest } from "../domain/SwapRequest.ts"
import { toX128 } from "../domain/Price.ts"
import { MalformedBody, ProviderError } from "../domain/ProviderError.ts"
import type { Quote, QuoteFigures, QuoteRequest } from "../domain/Quote.ts"
import { longestSwapMillis } from "../domain/Time.ts"
import { type OpenedChannel, plain, type Provider } from "./Provider.ts"

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

/**
 * What is wrong with a channel that any upstream has opened. Money that is sent to one of the
 * caller's own addresses is not swapped, and to a channel that has expired is lost.
 */
export const channelFault = (
  { destinationAddress, destinationAsset, refundAddress, sourceAsset }: SwapRequest,
  { channel, status }: OpenedChannel,
): string | undefined => {
  const source = chainOf(sourceAsset)
  const deposit = accountText(source, channel.depositAddress)
  if (deposit === accountText(source, refundAddress)) return "The deposit address is the refund address"
  if (deposit === accountText(chainOf(destinationAsset), destinationAddress)) {
    return "The deposit address is the destination address"
  }
  if (channel.id.network !== source) return `The channel is on ${channel.id.network}, not on ${source}`
  if (channel.sourceExpiryBlock <= 0) return "The channel has no block at which it expires"
  const record = status.depositChannel
  return record !== undefined && record.estimatedExpiryTime <= record.createdAt
    ? "The channel has expired already"
    : undefined
}

const malformed = (
  { name }: Provider,
  operation: ProviderError["operation"],
  detail: string,
): ProviderError =>
  new ProviderError({ provider: name, operation, reason: new MalformedBody({ detail, reached: true }) })

/**
 * The provider with its answers compared with what was asked: an answer that no honest upstream gives is a failure.
 * What only the wire can tell is the provider's own to check.
 */
export const checked = (provider: Provider): Provider => ({
  ...plain(provider),
  quotes: (request) =>
    Effect.flatMap(provider.quotes(request), (quotes) => {
      const fault = quotes.map((quote) => quoteFault(request, quote)).find((fault) => fault !== undefined)
      return fault === undefined ? Effect.succeed(quotes) : Effect.fail(malformed(provider, "quote", fault))
    }),
  open: (request) =>
    Effect.flatMap(provider.open(request), (opened) => {
      const fault = channelFault(request, opened)
      if (fault === undefined) return Effect.succeed(opened)
      return Effect.andThen(
        Effect.logError(`A channel is not handed out. ${fault}`).pipe(
          Effect.annotateLogs({ platform: provider.name }),
        ),
        Effect.fail(malformed(provider, "open", fault)),
      )
    }),
})
