import type { Address } from "../../../domain/Address.ts"
import type { EpochMillis } from "../../../domain/Time.ts"
import type { Intents, Order } from "./State.ts"
import { changedAddress } from "./transactions.ts"

/** How long an order with the trap `notIndexedYet` cannot be looked up. */
const indexingMillis = 120_000

/** An order as its look-up finds it. */
export interface FoundOrder {
  readonly order: Order
  /** The order's own, unless the order is a changed one. */
  readonly shownAddress: Address
}

const isIndexed = ({ time }: Intents, { createdAt, trap }: Order): boolean =>
  trap !== "notIndexedYet" || time >= createdAt + indexingMillis

/** The order with this deposit address, once it can be looked up. */
export const findOrder = (intents: Intents, address: string): FoundOrder | undefined => {
  const order = intents.orders.get(address)
  if (order === undefined || !isIndexed(intents, order)) return undefined
  const shownAddress = order.trap === "changedAddress"
    ? changedAddress(intents, order.terms.origin.asset, order.number)
    : order.depositAddress
  return { order, shownAddress }
}

/** Whether there is an order with this deposit address, be it looked up or not. */
export const orderAt = (intents: Intents, address: string): Order | undefined => intents.orders.get(address)

const isOpen = (intents: Intents, { deadline, progress }: Order): boolean =>
  progress._tag === "PendingDeposit"
    ? intents.time < deadline
    : progress._tag !== "Success" && progress._tag !== "Refunded" && progress._tag !== "Failed"

/** The orders that take deposits or are on their way, the oldest first. */
export const openOrders = (intents: Intents): ReadonlyArray<Order> =>
  Array.from(intents.orders.values()).filter((order) => isOpen(intents, order))

/** The simulated time. */
export const time = (intents: Intents): EpochMillis => intents.time
