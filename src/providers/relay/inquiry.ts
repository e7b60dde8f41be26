import { Effect, Option, type Schema } from "effect"
import type { Bps } from "#domain/money/Bps.ts"
import { stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { isSent, type SwapAmount, unitsOf } from "#domain/quotes/ExactOutput.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { placeholderOn } from "../upstream/servedChains.ts"
import { confirmationMillis, servedChains } from "./chains.ts"
import type { AddressParameter, Client, UpstreamCall } from "./client.ts"
import type { Pair } from "./conditions.ts"
import type { QuoteVersion } from "./settings.ts"

/** A share of what goes in, and the EVM address whose balance it is added to. */
interface AppFee {
  readonly recipient: string
  readonly bps: Bps
}

export interface Inquiry {
  readonly pair: Pair
  readonly amount: SwapAmount
  readonly appFee: Option.Option<AppFee>
  readonly recipient: string
  /** Of user and recipient, those that are the caller's. */
  readonly addresses: ReadonlyArray<AddressParameter>
  /** How much less than quoted may be paid out, in basis points. */
  readonly slippageBps: number
  /** What turns a question into an opening; absent: nothing is opened. */
  readonly opening?: {
    readonly refundTo: string
    /** Milliseconds from the quote until a deposit is refunded instead of filled. */
    readonly ttlMillis: number
  }
}

/** The slippage of quotes that nobody has set a price limit for: one percent. */
const quotedSlippageBps = 100

type FeeRecipient = Option.Option<string>

/** The commission goes to the operator's address; nobody is paid where there is none. */
const toAppFee = (bps: Bps, feeRecipient: FeeRecipient): Option.Option<AppFee> =>
  bps === 0 ? Option.none() : Option.map(feeRecipient, (recipient) => ({ recipient, bps }))

/** What is asked for a quote, which is everybody's: placeholders stand for the addresses. */
export const quoteInquiry = (
  pair: Pair,
  { amount, commissionBps }: QuoteRequest,
  feeRecipient: FeeRecipient,
): Inquiry => ({
  pair,
  amount,
  appFee: toAppFee(commissionBps, feeRecipient),
  recipient: placeholderOn(pair.destination.chain),
  addresses: [],
  slippageBps: quotedSlippageBps,
})

/** A day to make the deposit, as Chainflip's channels give. */
const depositWindowMillis = 24 * 60 * 60 * 1_000

/** Time to fill the order once its deposit is confirmed: what is not filled within the TTL is refunded. */
const fillMillis = 15 * 60 * 1_000

export const openingInquiry = (
  pair: Pair,
  request: SwapRequest,
  amount: SwapAmount,
  feeRecipient: FeeRecipient,
): Inquiry => ({
  pair,
  amount,
  appFee: toAppFee(request.commissionBps, feeRecipient),
  recipient: request.destinationAddress,
  addresses: ["destinationAddress", "refundAddress"],
  slippageBps: quotedSlippageBps,
  opening: {
    refundTo: request.refundAddress,
    ttlMillis: depositWindowMillis + Math.ceil(confirmationMillis(pair.source.chain)) + fillMillis +
      request.retryDurationBlocks * stateChainBlockMillis,
  },
})

export const withoutOpening = ({ opening: _, ...inquiry }: Inquiry): Inquiry => ({
  ...inquiry,
  addresses: ["destinationAddress"],
})

const toQuoteBody = ({ opening, pair: { destination, source }, ...inquiry }: Inquiry): Schema.Json => ({
  // Its balance may be looked at, which says nothing of a deposit from elsewhere: a wallet stands for the payer's.
  user: placeholderOn(source.chain),
  recipient: inquiry.recipient,
  originChainId: servedChains[source.chain].chainId,
  destinationChainId: servedChains[destination.chain].chainId,
  originCurrency: source.address,
  destinationCurrency: destination.address,
  amount: `${unitsOf(inquiry.amount)}`,
  // An expected output would be a target only.
  tradeType: isSent(inquiry.amount) ? "EXACT_INPUT" : "EXACT_OUTPUT",
  slippageTolerance: `${inquiry.slippageBps}`,
  ...Option.match(inquiry.appFee, {
    onNone: () => ({}),
    onSome: ({ bps, recipient }) => ({ appFees: [{ recipient, fee: `${bps}` }] }),
  }),
  ...(opening === undefined ? {} : {
    useDepositAddress: true,
    // Bound to this order: an open address would be filled at whatever the price is then.
    strict: true,
    refundTo: opening.refundTo,
    ttl: Math.ceil(opening.ttlMillis / 1_000),
  }),
})

const askedOf = ({ addresses, opening, pair }: Inquiry): UpstreamCall => ({
  opening: opening !== undefined,
  subject: Option.some({
    sourceAsset: pair.source.asset,
    destinationAsset: pair.destination.asset,
    addresses,
  }),
})

export const inquire = (client: Client, inquiry: Inquiry, version?: QuoteVersion) =>
  Effect.suspend(() => client.quote(toQuoteBody(inquiry), askedOf(inquiry), version))
