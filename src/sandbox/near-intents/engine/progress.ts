import type { Intents, Order, Progress, RefundReason } from "./State.ts"

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
