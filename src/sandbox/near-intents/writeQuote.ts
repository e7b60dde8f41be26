import { bytesToHex } from "@noble/hashes/utils.js"
import type { EpochMillis } from "../../domain/Time.ts"
import { digest } from "../engine/identifiers.ts"
import type { FoundOrder } from "./engine/queries.ts"
import type { QuoteRequest } from "./engine/QuoteRequest.ts"
import type { Offer, Order, Terms } from "./engine/State.ts"
import { amountMembers, isoTime, type Priced } from "./encode.ts"
import { sign } from "./signature.ts"

/** The answer of `POST /v0/quote` (near-intents/wire.md 1), which a status repeats. */

/** The two sides of a quote at the prices that it was made with. */
export const pricedSides = (
  { terms: { destination, origin }, offer: { prices } }: { readonly terms: Terms; readonly offer: Offer },
): { readonly origin: Priced; readonly destination: Priced } => ({
  origin: { asset: origin.asset, price: prices.origin },
  destination: { asset: destination.asset, price: prices.destination },
})

const writeFigures = (quoted: { readonly terms: Terms; readonly offer: Offer }) => {
  const { destination, origin } = pricedSides(quoted)
  const { offer } = quoted
  return {
    ...amountMembers("amountIn", origin, offer.amountIn),
    minAmountIn: `${offer.minimumAmountIn}`,
    ...amountMembers("amountOut", destination, offer.amountOut),
    minAmountOut: `${offer.minimumAmountOut}`,
    timeEstimate: offer.timeEstimateSeconds,
    refundFee: `${offer.refundFee}`,
    withdrawFee: `${offer.withdrawFee}`,
  }
}

/** The request as 1Click repeats it: what was left out stands there with its default. */
const echo = (request: QuoteRequest) => ({
  depositMode: "SIMPLE",
  confidentiality: "public",
  quoteWaitingTimeMs: 0,
  ...request,
})

/** A status repeats the request in another order, with null for what was not given. */
const echoInStatus = (request: QuoteRequest) => ({
  referral: null,
  virtualChainRecipient: null,
  virtualChainRefundRecipient: null,
  customRecipientMsg: null,
  ...Object.fromEntries(Object.entries(echo(request)).reverse()),
})

/** In the form of a UUID; decided by the seed and the name. */
const correlationIdOf = (seed: string, ...name: ReadonlyArray<string | number>): string =>
  bytesToHex(digest(seed, "near-intents correlation", ...name).slice(0, 16))
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

/** The answer to a dry request: figures only. */
export const writeDryQuote = (
  asked: { readonly seed: string; readonly time: EpochMillis; readonly request: QuoteRequest },
  quoted: { readonly terms: Terms; readonly offer: Offer },
) => {
  const { request, seed, time } = asked
  const signable = {
    timestamp: isoTime(time),
    quoteRequest: echo(request),
    quote: writeFigures(quoted),
  }
  return {
    correlationId: correlationIdOf(seed, "dry", time, JSON.stringify(request)),
    signature: sign(signable, false),
    ...signable,
  }
}

const signableOf = ({ order, shownAddress }: FoundOrder) => {
  const deadline = isoTime(order.deadline)
  return {
    timestamp: isoTime(order.createdAt),
    quoteRequest: echo(order.request),
    quote: {
      ...writeFigures(order),
      deadline,
      timeWhenInactive: deadline,
      depositAddress: shownAddress,
    },
  }
}

/** The number by which 1Click's people would find an order. */
export const correlationIdOfOrder = (seed: string, { number }: Order): string =>
  correlationIdOf(seed, "order", number)

/** The answer to a request that made an order. */
export const writeOrder = (seed: string, order: Order) => {
  const signable = signableOf({ order, shownAddress: order.depositAddress })
  return {
    correlationId: correlationIdOfOrder(seed, order),
    signature: sign(signable, order.trap === "badSignature"),
    ...signable,
  }
}

/** The quote as a status repeats it, with the signature that it was given. */
export const writeOrderInStatus = (seed: string, found: FoundOrder) => ({
  ...writeOrder(seed, found.order),
  quoteRequest: echoInStatus(found.order.request),
  quote: signableOf(found).quote,
})
