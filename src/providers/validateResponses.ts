import { BigDecimal, Effect, Option } from "effect"
import { accountText } from "#domain/chains/address/accountBytes.ts"
import { ownerlessFault } from "#domain/chains/address/ownerless.ts"
import type { Address } from "#domain/chains/Address.ts"
import { type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"
import { type ExactOutput, isSent, receivedOf } from "#domain/quotes/ExactOutput.ts"
import type { DcaParameters, SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { psbtFault } from "#domain/chains/payload/psbt.ts"
import { toX128 } from "#domain/money/Price.ts"
import { MalformedBody, ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import {
  boostedAsset,
  mostBoostFeeBps,
  type Quote,
  type QuoteFigures,
  type QuoteRequest,
} from "#domain/quotes/Quote.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { withTransactionsOnly } from "#domain/chains/TransactionReference.ts"
import { type EpochMillis, longestSwapMillis } from "#domain/Time.ts"
import type {
  BitcoinPayload,
  EncodedPayload,
  VaultSwapPayload,
  VaultSwapRequest,
  XrplPayload,
} from "#domain/swaps/VaultSwap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Capabilities } from "./Capabilities.ts"
import { plain } from "./operations.ts"
import * as Port from "./Provider.ts"

/** The first price that is too large: prices travel as 256 bits, 128 of them after the point. */
const priceEnd = 2n ** 256n

const hundredPercent = BigDecimal.fromBigInt(100n)

/** The most, in percent, that a quote may recommend: an upstream must not be able to take the price limit off. */
const mostTolerance = BigDecimal.fromBigInt(50n)

const withinTolerance = (quote: Quote): Quote =>
  BigDecimal.isGreaterThan(quote.recommendedSlippageTolerancePercent, mostTolerance)
    ? { ...quote, recommendedSlippageTolerancePercent: mostTolerance }
    : quote

/** The quote without a boost that `/swap` could not open, or that its provider does not make (decision 21). */
const withBoostToOpen = ({ boost }: Capabilities, { boostQuote, ...quote }: Quote): Quote => {
  const most = boostQuote?.maximumBoostFeeBps ?? 0
  const canOpen = boost && quote.ingress.asset === boostedAsset && most > 0 && most <= mostBoostFeeBps
  return boostQuote !== undefined && canOpen ? { ...quote, boostQuote } : quote
}

const isPrice = ({ estimatedPrice }: Quote, { destinationAsset, sourceAsset }: QuoteRequest): boolean => {
  const x128 = toX128(estimatedPrice, sourceAsset, destinationAsset)
  return x128 > 0n && x128 < priceEnd
}

const isDuration = (millis: number): boolean =>
  Number.isFinite(millis) && millis >= 0 && millis <= longestSwapMillis

const isDca = ({ chunkIntervalBlocks, numberOfChunks }: DcaParameters): boolean =>
  [numberOfChunks, chunkIntervalBlocks].every((count) => Number.isSafeInteger(count) && count > 0)

/** Whether the fees in the source asset are within the amount, from which they are taken. */
const areFeesCovered = ({ fees, ingress }: QuoteFigures): boolean =>
  fees.filter(({ asset }) => asset === ingress.asset)
    .reduce((sum, { amount }) => sum + amount, 0n) <= ingress.amount

const sentFault = (quoted: bigint, asked: NativeAmount): string | undefined =>
  quoted === asked ? undefined : `a quote for ${quoted} native units, asked was ${asked}`

/** The fault of what is promised for an output that was asked for. */
const promiseFault = (exactOutput: ExactOutput | undefined, asked: NativeAmount): string | undefined => {
  if (exactOutput?.amount !== asked) {
    return `a promise of ${exactOutput?.amount ?? "no output"}, asked was ${asked}`
  }
  return exactOutput.sendAtLeast > 0n && exactOutput.sendAtLeast <= exactOutput.sendAtMost
    ? undefined
    : "a promise that asks for more at the least than at the most"
}

const receivedFault = ({ egress, ingress }: QuoteFigures, asked: NativeAmount): string | undefined => {
  if (egress.amount !== asked) return `a quote of ${egress.amount} native units, asked was ${asked}`
  return ingress.amount > 0n ? undefined : "a quote that asks for nothing"
}

const figuresFault = ({ amount, destinationAsset, sourceAsset }: QuoteRequest, figures: QuoteFigures) => {
  const { durations, egress, ingress, totalDuration } = figures
  if (ingress.asset !== sourceAsset) return `a quote from ${ingress.asset}, asked was ${sourceAsset}`
  if (egress.asset !== destinationAsset) return `a quote to ${egress.asset}, asked was ${destinationAsset}`
  const fault = isSent(amount) ? sentFault(ingress.amount, amount) : receivedFault(figures, amount.amount)
  if (fault !== undefined) return fault
  if (egress.amount === 0n) return "a quote of nothing"
  if (!areFeesCovered(figures)) return "a quote with fees above the amount"
  return [durations.deposit, durations.swap, durations.egress, totalDuration].every(isDuration)
    ? undefined
    : "a quote with a duration of more than 30 days"
}

/** The fault of a quote: it does not answer the request, or has impossible figures; nothing where it may be shown. */
export const quoteFault = (request: QuoteRequest, quote: Quote): string | undefined => {
  const fault = figuresFault(request, quote) ??
    (quote.boostQuote === undefined ? undefined : figuresFault(request, quote.boostQuote))
  if (fault !== undefined) return fault
  const asked = receivedOf(request.amount)
  const promise = asked === undefined ? undefined : promiseFault(quote.exactOutput, asked)
  if (promise !== undefined) return promise
  if (!isPrice(quote, request)) return "a quote with a price that the assets cannot have"
  if (quote.dca !== undefined && !isDca(quote.dca)) return "a quote in no number of chunks"
  return BigDecimal.between(quote.recommendedSlippageTolerancePercent, {
      minimum: BigDecimal.fromBigInt(0n),
      maximum: hundredPercent,
    })
    ? undefined
    : "a quote with a slippage tolerance above 100 %"
}

/** The fault of a channel: deposits to the caller's own addresses are not swapped, those after the expiry are lost. */
export const channelFault = (
  { amount, destinationAddress, destinationAsset, refundAddress, sourceAsset }: SwapRequest,
  { channel, status }: Port.OpenedChannel,
): string | undefined => {
  const source = chainOf(sourceAsset)
  const deposit = accountText(source, channel.depositAddress)
  if (deposit === accountText(source, refundAddress)) return "The deposit address is the refund address"
  if (deposit === accountText(chainOf(destinationAsset), destinationAddress)) {
    return "The deposit address is the destination address"
  }
  const ownerless = ownerlessFault(source, channel.depositAddress)
  if (ownerless !== undefined) return `The deposit address is nobody's: ${ownerless}`
  if (channel.id.network !== source) return `The channel is on ${channel.id.network}, not on ${source}`
  if (channel.sourceExpiryBlock <= 0) return "The channel has no block at which it expires"
  const record = status.depositChannel
  if (record !== undefined && record.estimatedExpiryTime <= record.createdAt) {
    return "The channel has expired already"
  }
  const asked = receivedOf(amount)
  const promise = asked === undefined ? undefined : promiseFault(record?.exactOutput, asked)
  return promise === undefined ? undefined : `The channel has ${promise}`
}

const isToken = (asset: AssetId): boolean => factsOf(asset).contractAddress !== undefined

/** The fault of a plain payment of the chain's coin: nothing is paid on top. */
const paymentFault = ({ amount }: VaultSwapRequest, { amountNative }: BitcoinPayload | XrplPayload) =>
  amountNative === amount ? undefined : `a payload that moves ${amountNative}, asked was ${amount}`

/** The fault of a PSBT, where the upstream made one. */
const psbtFaultOf = ({ sender }: VaultSwapRequest, payload: BitcoinPayload, fees: EncodedPayload["fees"]) =>
  payload.psbt === undefined ? undefined : psbtFault(payload.psbt, {
    ...payload,
    chain: payload.network,
    sender: sender._tag === "bitcoin" ? sender.address : undefined,
    fees: fees.filter(({ asset }) => asset === chainFacts(payload.network).coin).map(({ amount }) => amount),
  })

const feesInCoin = (chain: Chain, fees: EncodedPayload["fees"]): bigint =>
  fees.filter(({ asset }) => chainOf(asset) === chain && !isToken(asset))
    .reduce((sum, { amount }) => sum + amount, 0n)

/** The most native coin that a transaction may pay on top: this, or a tenth of an amount of the coin itself. */
const mostOnTop: ReadonlyMap<Chain, bigint> = new Map<Chain, bigint>([
  ["Ethereum", 5n * 10n ** 16n],
  ["Arbitrum", 5n * 10n ** 16n],
  ["Bsc", 2n * 10n ** 17n],
  ["Base", 5n * 10n ** 16n],
  ["Avalanche", 5n * 10n ** 18n],
  ["Tron", 500n * 10n ** 6n],
])

/** The fault of the amounts that a transaction moves, of the source asset and of its chain's own coin. */
const movementFault = (
  request: VaultSwapRequest,
  payload: VaultSwapPayload,
  fees: EncodedPayload["fees"],
): string | undefined => {
  if (payload._tag === "solana") return undefined
  if (payload._tag === "xrpl") return paymentFault(request, payload)
  if (payload._tag === "bitcoin") {
    return paymentFault(request, payload) ?? psbtFaultOf(request, payload, fees)
  }
  const { amount, sourceAsset } = request
  if (isToken(sourceAsset) !== (payload.sourceTokenAddress !== undefined)) {
    return isToken(sourceAsset) ? "a payload of no token" : "a payload of a token"
  }
  const least = isToken(sourceAsset) ? noAmount : amount
  const { network, value } = payload
  if (value > least + (mostOnTop.get(network) ?? 0n) && value > least + least / 10n) {
    return `a payload that takes ${value - least} of the chain's own coin on top`
  }
  // Only fees that are named may be paid in the chain's own coin on top.
  return value >= least && value <= least + feesInCoin(chainOf(sourceAsset), fees)
    ? undefined
    : `a payload that moves ${value} of the chain's own coin, asked was ${least}`
}

const recipientOf = (payload: VaultSwapPayload): Address =>
  payload._tag === "bitcoin" || payload._tag === "xrpl"
    ? payload.depositAddress
    : payload._tag === "solana"
    ? payload.instructions[0].programId
    : payload.to

/** The fault of a payload that would cost its signer money. Its bytes are for the provider to check. */
export const payloadFault = (
  request: VaultSwapRequest,
  { expiresAt, fees, minimumDeposit, payload }: EncodedPayload,
  now: EpochMillis,
): string | undefined => {
  const source = chainOf(request.sourceAsset)
  if (payload.network !== source) return `a payload for ${payload.network}, asked was ${source}`
  const recipient = accountText(source, recipientOf(payload))
  if (recipient === accountText(source, request.refundAddress)) {
    return "a payload that pays the refund address"
  }
  if (recipient === accountText(chainOf(request.destinationAsset), request.destinationAddress)) {
    return "a payload that pays the destination address"
  }
  if (expiresAt <= now) return "a payload that is stale already"
  if (minimumDeposit > request.amount) return `a payload for less than its minimum of ${minimumDeposit}`
  return movementFault(request, payload, fees)
}

const malformed = ({ name }: Port.Provider, operation: ProviderError["operation"], detail: string) =>
  new ProviderError({ provider: name, operation, reason: new MalformedBody({ detail, reached: true }) })

const whereTold = <A>(each: (told: A) => Effect.Effect<A>) => (told: Option.Option<A>) =>
  Effect.transposeOption(Option.map(told, each))

/** What an upstream says of swaps, without references that are no transactions; its body keeps them, for the journal. */
const withTransactions = Effect.fnUntraced(function* (
  platform: ProviderName,
  said: Port.Observed,
): Effect.fn.Return<Port.Observed> {
  const status = withTransactionsOnly(said.status)
  if (status !== said.status) {
    yield* warnSparsely(
      `references of ${platform}`,
      1,
      "The upstream names a transaction that is none of its chain: it is left out of the swap",
    ).pipe(Effect.annotateLogs({ platform }))
  }
  const { others } = said
  return others === undefined ? { ...said, status } : {
    ...said,
    status,
    others: yield* Effect.forEach(others, (other) => withTransactions(platform, other)),
  }
})

/** Refuses answers that no honest upstream gives, and lowers a tolerance that is too large. */
export const validateResponses = (provider: Port.Provider): Port.Provider => {
  const handedOut = (request: SwapRequest, opened: Port.OpenedChannel) => {
    const fault = channelFault(request, opened)
    return fault === undefined ? Effect.succeed(opened) : Effect.fail(malformed(provider, "open", fault))
  }
  const inForm = (said: Port.Observed) => withTransactions(provider.name, said)
  const { channels, vaultSwaps, ...others } = plain(provider)
  return {
    ...others,
    quotes: (request) =>
      Effect.flatMap(provider.quotes(request), (quotes) => {
        const fault = quotes.map((quote) => quoteFault(request, quote)).find((fault) => fault !== undefined)
        return fault === undefined
          ? Effect.succeed(
            quotes.map((quote) => withinTolerance(withBoostToOpen(provider.capabilities, quote))),
          )
          : Effect.fail(malformed(provider, "quote", fault))
      }),
    ...optionalMembers(channels, (channels) => ({
      channels: {
        ...channels,
        open: (request: SwapRequest) =>
          Effect.flatMap(channels.open(request), (opened) => handedOut(request, opened)),
        ...optionalMembers(channels.findOpening, (findOpening) => ({
          findOpening: (request: SwapRequest, requestedAt: EpochMillis, unrecorded: Port.Listing) =>
            Effect.tap(
              findOpening(request, requestedAt, unrecorded),
              (trace) => trace._tag === "Found" ? handedOut(request, trace.opened) : Effect.void,
            ),
        })),
        status: (channel: ChannelId, known: SwapStatus) =>
          Effect.flatMap(channels.status(channel, known), whereTold(inForm)),
        ...optionalMembers(channels.findTransaction, (find) => ({
          findTransaction: (transaction: string) =>
            Effect.flatMap(
              find(transaction),
              whereTold((trace) =>
                trace.said === undefined
                  ? Effect.succeed(trace)
                  : Effect.map(inForm(trace.said), (said): Port.TransactionTrace => ({ ...trace, said }))
              ),
            ),
        })),
      },
    })),
    ...optionalMembers(vaultSwaps, (vaultSwaps) => ({
      vaultSwaps: {
        ...vaultSwaps,
        encode: (request: VaultSwapRequest) =>
          Effect.gen(function* () {
            const encoded = yield* vaultSwaps.encode(request)
            const fault = payloadFault(request, encoded, yield* currentMillis)
            return fault === undefined ? encoded : yield* malformed(provider, "encode", fault)
          }),
        status: (question: Port.VaultSwapQuestion, known: Option.Option<SwapStatus>) =>
          Effect.flatMap(vaultSwaps.status(question, known), whereTold(inForm)),
      },
    })),
  }
}
