import type { Intents, IntentsEvent, Order, Progress, RefundReason } from "./State.ts"

/** The order of events of the same moment: deposits count before a deadline that falls on them. */
const phases: Readonly<Record<IntentsEvent["_tag"], number>> = {
  IncludeDeposit: 0,
  ConfirmDeposit: 1,
  Detect: 2,
  PassDeadline: 3,
  Settle: 4,
  Arrive: 5,
}

/** Lets something happen at a time. */
export const scheduleAt = (intents: Intents, time: number, event: IntentsEvent): void =>
  intents.events.add(time, phases[event._tag], event)

/** Lets something happen so many milliseconds from now. */
export const scheduleAfter = (intents: Intents, millis: number, event: IntentsEvent): void =>
  scheduleAt(intents, intents.time + millis, event)

/** The order goes on. */
export const progress = (intents: Intents, order: Order, to: Progress): void => {
  order.progress = to
  order.updatedAt = intents.time
}

/** Sends money back, less the refund fee; what does not cover the fee stays where it is. */
export const giveBack = (intents: Intents, order: Order, amount: bigint, reason: RefundReason): void => {
  const net = amount - order.offer.refundFee
  if (net <= 0n) return
  order.refund = { amount: (order.refund?.amount ?? 0n) + net, reason }
  order.updatedAt = intents.time
}

const isFinal = ({ progress }: Order): boolean =>
  progress._tag === "Success" || progress._tag === "Refunded" || progress._tag === "Failed"

/**
 * Sends money back that nothing comes of. An order that is being processed or has its outcome keeps its
 * state; any other ends with this.
 */
export const sendBack = (intents: Intents, order: Order, amount: bigint, reason: RefundReason): void => {
  giveBack(intents, order, amount, reason)
  if (isFinal(order) || order.progress._tag === "Processing") return
  conclude(intents, order)
}

/** The order has ended without an output: refunded, or failed when there was too little to send back. */
export const conclude = (intents: Intents, order: Order): void =>
  progress(intents, order, { _tag: order.refund === undefined ? "Failed" : "Refunded" })
