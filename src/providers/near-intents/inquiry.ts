import { Effect, Option, Result, type Schema } from "effect"
import { formatUnits, type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import type { Bps } from "#domain/money/Bps.ts"
import { stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { isSent, type SwapAmount, unitsOf } from "#domain/quotes/ExactOutput.ts"
import { DepositBelowMinimum, EgressBelowMinimum } from "#domain/ProviderError.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { placeholderOn } from "../upstream/servedChains.ts"
import { confirmationMillis, confirmationReserve, servedChains } from "./chains.ts"
import type { Pair } from "./conditions.ts"
import type { Client } from "./client.ts"
import { askedFor, type Options } from "./settings.ts"

/** A share of the input in basis points, and the NEAR account that gets it. */
interface AppFee {
  readonly recipient: string
  readonly fee: number
}

export interface Inquiry {
  readonly pair: Pair
  readonly amount: SwapAmount
  readonly commissionBps: Bps
  readonly appFees: ReadonlyArray<AppFee>
  readonly recipient: string
  readonly refundTo: string
  readonly callersAddresses: boolean
  /** How much less than quoted may be paid out, in bps; for an exact output how much more may have to be sent. */
  readonly slippageBps: number
  /** How long a deposit may wait for its price, on top of the time to make it, in milliseconds. */
  readonly retryMillis: number
  readonly house: House
}

export type House = Pick<
  Options,
  "feeAccount" | "commissionBasis" | "otherFeesMostBps" | "publicKey" | "waitingMillis"
>

/** The slippage of quotes without a price limit: one percent. */
const quotedSlippageBps = 100

/** The commission, which goes to the operator's account; nobody is paid where there is none. */
const toAppFees = (commissionBps: Bps, house: House): ReadonlyArray<AppFee> =>
  commissionBps === 0 ? [] : Option.toArray(house.feeAccount).map((recipient) => ({
    recipient,
    fee: askedFor(commissionBps, house),
  }))

/** The terms of a quote. Its addresses are placeholders, as the caller has given none yet. */
export const quoteInquiry = (pair: Pair, { amount, commissionBps }: QuoteRequest, house: House): Inquiry => ({
  pair,
  amount,
  commissionBps,
  appFees: toAppFees(commissionBps, house),
  house,
  recipient: placeholderOn(pair.destination.chain),
  refundTo: placeholderOn(pair.source.chain),
  callersAddresses: false,
  slippageBps: quotedSlippageBps,
  retryMillis: 0,
})

export const openingInquiry = (
  pair: Pair,
  request: SwapRequest,
  amount: SwapAmount,
  house: House,
): Inquiry => ({
  pair,
  amount,
  commissionBps: request.commissionBps,
  appFees: toAppFees(request.commissionBps, house),
  house,
  recipient: request.destinationAddress,
  refundTo: request.refundAddress,
  callersAddresses: true,
  slippageBps: quotedSlippageBps,
  retryMillis: request.retryDurationBlocks * stateChainBlockMillis,
})

/** The time to make a deposit: a day, as for Chainflip's channels. */
const depositWindowMillis = 24 * 60 * 60 * 1_000

/** The time that is told as the end of an address: time to make and confirm a deposit and to wait for the price. */
export const expiryOf = ({ pair, retryMillis }: Inquiry, now: EpochMillis): EpochMillis =>
  EpochMillis.make(now + depositWindowMillis + Math.ceil(confirmationMillis(pair.source.chain)) + retryMillis)

/** The deadline after which an unswapped deposit goes back: a deposit in a block before the told end still counts. */
const deadlineOf = (inquiry: Inquiry, now: EpochMillis): Date =>
  new Date(expiryOf(inquiry, now) + confirmationReserve(inquiry.pair.source.chain))

/** Every amount from `minAmountIn` on is swapped; of an exact output all arrives or nothing (near-intents/wire.md 1). */
export const swapTypeOf = (amount: SwapAmount): string => isSent(amount) ? "FLEX_INPUT" : "EXACT_OUTPUT"

export const route = {
  depositType: "ORIGIN_CHAIN",
  refundType: "ORIGIN_CHAIN",
  recipientType: "DESTINATION_CHAIN",
} as const

const toQuoteBody = (
  inquiry: Inquiry,
  { dry, deadline }: { readonly dry: boolean; readonly deadline: Date },
): Schema.Json => ({
  dry,
  ...route,
  swapType: swapTypeOf(inquiry.amount),
  slippageTolerance: inquiry.slippageBps,
  originAsset: inquiry.pair.source.id,
  destinationAsset: inquiry.pair.destination.id,
  amount: `${unitsOf(inquiry.amount)}`,
  refundTo: inquiry.refundTo,
  recipient: inquiry.recipient,
  deadline: deadline.toISOString(),
  ...(inquiry.house.waitingMillis === 0 ? {} : { quoteWaitingTimeMs: inquiry.house.waitingMillis }),
  ...(inquiry.appFees.length === 0 ? {} : { appFees: inquiry.appFees.map((fee) => ({ ...fee })) }),
})

const askedOf = ({ pair, amount, callersAddresses }: Inquiry, { dry }: { readonly dry: boolean }) => ({
  opening: !dry,
  subject: Option.some({
    sourceAsset: pair.source.asset,
    destinationAsset: pair.destination.asset,
    amount,
    callersAddresses,
  }),
})

export const inquire = Effect.fnUntraced(
  function* (client: Client, inquiry: Inquiry, { dry }: { readonly dry: boolean }) {
    const deadline = deadlineOf(inquiry, yield* currentMillis)
    return yield* client.quote(toQuoteBody(inquiry, { dry, deadline }), askedOf(inquiry, { dry }))
  },
)

/** The least deposit to an order: the service's own, or what the source chain needs where that is more. */
export const leastDeposit = (own: NativeAmount, { source }: Pair): NativeAmount => {
  const { deposit = noAmount } = servedChains[source.chain].least ?? {}
  return own > deposit ? own : deposit
}

/** Refuses figures below what the chains need: a deposit would be lost there, or its payout refused. */
export const withinLimits = (
  { amountIn, amountOut }: { readonly amountIn: NativeAmount; readonly amountOut: NativeAmount },
  { destination, source }: Pair,
): Result.Result<void, DepositBelowMinimum | EgressBelowMinimum> => {
  const minimum = leastDeposit(noAmount, { destination, source })
  const { payout = noAmount } = servedChains[destination.chain].least ?? {}
  if (amountIn < minimum) return Result.fail(new DepositBelowMinimum({ asset: source.asset, minimum }))
  return amountOut >= payout ? Result.void : Result.fail(
    new EgressBelowMinimum({
      detail: `The output is below ${formatUnits(destination.asset, payout)} ${destination.asset}, ` +
        "the least that can be paid out: swap more",
    }),
  )
}
