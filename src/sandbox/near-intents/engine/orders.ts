import { Result } from "effect"
import { EpochMillis } from "../../../domain/Time.ts"
import type { OpenOrder } from "./Command.ts"
import { offerOf } from "./offer.ts"
import type { QuoteRequest } from "./QuoteRequest.ts"
import type { RequestRefusal } from "./Refusal.ts"
import { scheduleAt } from "./schedule.ts"
import type { Intents, Offer, Order, Terms } from "./State.ts"
import { termsOf } from "./terms.ts"
import { addressOfOrder } from "./transactions.ts"

/** What a request asks for, and the figures for it. */
export interface Quoted {
  readonly terms: Terms
  readonly offer: Offer
}

/** The figures for a request at the present prices; nothing is reserved. */
export const quote = (intents: Intents, request: QuoteRequest): Result.Result<Quoted, RequestRefusal> =>
  Result.flatMap(
    termsOf(request),
    (terms) => Result.map(offerOf(intents.network, terms), (offer) => ({ terms, offer })),
  )

/** Makes an order with a deposit address of its own; the next planned trap, if there is one, is in it. */
export const openOrder = (
  intents: Intents,
  { lifetimeMillis, request }: OpenOrder,
): Result.Result<Order, RequestRefusal> =>
  Result.map(quote(intents, request), ({ offer, terms }) => {
    const number = intents.orders.size + 1
    const trap = intents.plannedTraps.shift()
    const order: Order = {
      number,
      createdAt: intents.time,
      depositAddress: addressOfOrder(intents, terms.origin.asset, number),
      request,
      terms,
      offer,
      deadline: EpochMillis.make(intents.time + lifetimeMillis),
      ...(trap === undefined ? {} : { trap }),
      deposits: [],
      progress: { _tag: "PendingDeposit" },
      updatedAt: intents.time,
      isDetecting: trap !== "stuckPending",
    }
    intents.orders.set(order.depositAddress, order)
    scheduleAt(intents, order.deadline, { _tag: "PassDeadline", order })
    return order
  })
