import { chainOf } from "../../../domain/Asset.ts"
import { scheduleAt } from "../../engine/EventQueue.ts"
import { type Prices, pricesOf, send } from "../../engine/guests.ts"
import { valueOf } from "../../engine/pools.ts"
import { maximumValue } from "./offer.ts"
import { conclude, giveBack, progress } from "./progress.ts"
import type { Intents, Order, Payout, RefundReason } from "./State.ts"

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

/** The net output, or why there is none. */
const outcomeOf = (intents: Intents, order: Order, input: bigint): bigint | RefundReason => {
  const { offer, terms } = order
  if (order.trap === "successThatIsRefund") return "SOLVER_FAILED"
  if (valueOf(intents.network, terms.origin.asset, input) > maximumValue) return "NO_LIQUIDITY"
  const gross = delivered(order, input, pricesOf(intents.network, terms))
  const minimum = atRate(order, offer.minimumAmountOut + offer.withdrawFee, input)
  const net = gross - offer.withdrawFee
  if (gross < minimum) return "PRICE_MOVED"
  return net > 0n ? net : "PARTIAL_DEPOSIT"
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
  const input = order.terms.isExact ? smaller(deposited, order.offer.amountIn) : deposited
  const outcome = outcomeOf(intents, order, input)
  if (typeof outcome !== "bigint") {
    giveBack(intents, order, deposited, outcome)
    return conclude(intents, order)
  }
  if (deposited > input) giveBack(intents, order, deposited - input, "EXCESS_DEPOSIT")
  payOut(intents, order, input, outcome)
}
