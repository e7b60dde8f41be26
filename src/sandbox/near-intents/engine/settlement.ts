import { chainOf } from "#domain/chains/Asset.ts"
import { isSent } from "#domain/quotes/ExactOutput.ts"
import { scheduleAt } from "../../engine/EventQueue.ts"
import { type Prices, pricesOf, send } from "../../engine/sideNetworks.ts"
import { valueOf } from "../../engine/pools.ts"
import { maximumValue } from "./offer.ts"
import type { Intents, Order, Payout, Progress, RefundReason } from "./State.ts"

/** Moves the order to a state. */
export const progress = (intents: Intents, order: Order, to: Progress): void => {
  order.progress = to
  order.updatedAt = intents.time
}

/** Refunds an amount, less the refund fee; an amount that does not cover the fee is not refunded. */
export const giveBack = (intents: Intents, order: Order, amount: bigint, reason: RefundReason): void => {
  const net = amount - order.offer.refundFee
  if (net <= 0n) return
  order.refund = { amount: (order.refund?.amount ?? 0n) + net, reason }
  order.updatedAt = intents.time
}

const isFinal = ({ progress }: Order): boolean =>
  progress._tag === "Success" || progress._tag === "Refunded" || progress._tag === "Failed"

/**
 * Refunds money that the order does not use. An order that is being processed or has its outcome keeps its state; any
 * other order ends with this.
 */
export const sendBack = (intents: Intents, order: Order, amount: bigint, reason: RefundReason): void => {
  giveBack(intents, order, amount, reason)
  if (isFinal(order) || order.progress._tag === "Processing") return
  conclude(intents, order)
}

/** Ends the order without an output: refunded, or failed if there was too little to refund. */
export const conclude = (intents: Intents, order: Order): void =>
  progress(intents, order, { _tag: order.refund === undefined ? "Failed" : "Refunded" })

const smaller = (one: bigint, other: bigint): bigint => one < other ? one : other

/** An amount at the rate of the offer, which also holds for inputs above or below the requested one. */
const atRate = ({ offer }: Order, amount: bigint, input: bigint): bigint => amount * input / offer.amountIn

/** An output at the offer's prices, converted to other prices, rounded down. */
const repriced = (gross: bigint, { offer }: Order, now: Prices): bigint =>
  gross * now.origin * offer.prices.destination / (offer.prices.origin * now.destination)

/**
 * The solver's output before the withdraw fee: the offer's rate at the present prices, or, if they have improved, with
 * half of the improvement (near-intents/wire.md 1, fees).
 */
const delivered = (order: Order, input: bigint, now: Prices): bigint => {
  const offered = atRate(order, order.offer.grossOut, input)
  const current = repriced(offered, order, now)
  return current > offered ? offered + (current - offered) / 2n : current
}

const refunding: ReadonlySet<Order["trap"]> = new Set([
  "successThatIsRefund",
  "incompleteThatIsRefund",
  "failedInPart",
])

/** What goes back of a deposit that is not swapped. */
const returnedOf = ({ trap }: Order, deposited: bigint): bigint =>
  trap === "failedInPart" ? deposited / 2n : deposited

/** The net output, or why there is none. */
const outcomeOf = (intents: Intents, order: Order, input: bigint): bigint | RefundReason => {
  const { offer, terms } = order
  if (refunding.has(order.trap)) return "SOLVER_FAILED"
  if (valueOf(intents.network, terms.origin.asset, input) > maximumValue) return "NO_LIQUIDITY"
  const gross = delivered(order, input, pricesOf(intents.network, terms))
  const minimum = atRate(order, offer.minimumAmountOut + offer.withdrawFee, input)
  const net = gross - offer.withdrawFee
  if (gross < minimum) return "PRICE_MOVED"
  return net > 0n ? net : "PARTIAL_DEPOSIT"
}

/**
 * What an output that was asked for takes of a deposit: the offer's least input at the present prices, of which the solver
 * keeps half of an improvement.
 */
const takenFor = (intents: Intents, { offer, terms }: Order): bigint => {
  const now = pricesOf(intents.network, terms)
  const { minimumAmountIn: offered, prices } = offer
  const divisor = now.origin * prices.destination
  const current = (offered * prices.origin * now.destination + divisor - 1n) / divisor
  return current < offered ? offered - (offered - current) / 2n : current
}

/** Pays out just what was asked for, and sends the rest back; or all, where prices have left the tolerance. */
const settleOutput = (intents: Intents, order: Order, deposited: bigint): void => {
  const taken = takenFor(intents, order)
  const reason = refunding.has(order.trap)
    ? "SOLVER_FAILED"
    : taken > smaller(deposited, order.offer.amountIn)
    ? "PRICE_MOVED"
    : undefined
  if (reason !== undefined) {
    giveBack(intents, order, returnedOf(order, deposited), reason)
    return conclude(intents, order)
  }
  giveBack(intents, order, deposited - taken, "EXCESS_DEPOSIT")
  payOut(intents, order, taken, order.offer.amountOut)
}

/** Pays out; the order is complete when the payout has its confirmations. */
const payOut = (intents: Intents, order: Order, input: bigint, amount: bigint): void => {
  const { confirmedAt, transactionReference } = send(intents, chainOf(order.terms.destination.asset))
  const payout: Payout = { amount, transactionReference }
  progress(intents, order, { _tag: "Processing", input, payout })
  scheduleAt(
    intents,
    confirmedAt,
    "arrive",
    () => progress(intents, order, { _tag: "Success", input, payout }),
  )
}

/** Settles the order: the solver pays out, or, if prices have left the slippage tolerance, all is refunded. */
export const settle = (intents: Intents, order: Order): void => {
  if (order.progress._tag !== "Processing") return
  const deposited = order.progress.input
  if (!isSent(order.terms.amount)) return settleOutput(intents, order, deposited)
  const input = order.terms.isExact ? smaller(deposited, order.offer.amountIn) : deposited
  const outcome = outcomeOf(intents, order, input)
  if (typeof outcome !== "bigint") {
    giveBack(intents, order, returnedOf(order, deposited), outcome)
    return conclude(intents, order)
  }
  if (deposited > input) giveBack(intents, order, deposited - input, "EXCESS_DEPOSIT")
  payOut(intents, order, input, outcome)
}
