import type { OrderTrap } from "#api/SandboxCommands.ts"
import type { Address } from "#domain/chains/Address.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { makeSideNetwork } from "../../engine/sideNetworks.ts"
import type { Network } from "../../engine/State.ts"
import type { FeePaid } from "../../engine/View.ts"
import { type Intents, type Order, phases } from "./State.ts"
import { changedAddress } from "./orders.ts"

/**
 * The simulated NEAR Intents: orders on the chains and at the reference prices of the engine's network, in the same
 * virtual time.
 *
 * ```ts
 * const intents = Intents.make(network)
 * const order = openOrder(intents, command)
 * passTime(intents, later)
 * ```
 */
export type { Intents } from "./State.ts"

/** The orders of a network that begins now. */
export const make = (network: Network): Intents => ({
  ...makeSideNetwork<typeof phases[number], OrderTrap>(network, "near-intents", phases),
  orders: new Map(),
})

/** How long an order with the trap `notIndexedYet` cannot be looked up. */
const indexingMillis = 120_000

/** An order as a look-up finds it. */
export interface FoundOrder {
  readonly order: Order
  /** The order's own deposit address, unless the order has the trap `changedAddress`. */
  readonly shownAddress: Address
}

const isIndexed = ({ time }: Intents, { createdAt, trap }: Order): boolean =>
  trap !== "notIndexedYet" || time >= createdAt + indexingMillis

/** The order with this deposit address, if it can be looked up already. */
export const findOrder = (intents: Intents, address: string): FoundOrder | undefined => {
  const order = intents.orders.get(address)
  if (order === undefined || !isIndexed(intents, order)) return undefined
  const shownAddress = order.trap === "changedAddress"
    ? changedAddress(intents, order.terms.origin.asset, order.number)
    : order.depositAddress
  return { order, shownAddress }
}

/** The order with this deposit address, even if it cannot be looked up yet. */
export const orderAt = (intents: Intents, address: string): Order | undefined => intents.orders.get(address)

const isOpen = (intents: Intents, { deadline, progress }: Order): boolean =>
  progress._tag === "PendingDeposit"
    ? intents.time < deadline
    : progress._tag !== "Success" && progress._tag !== "Refunded" && progress._tag !== "Failed"

/** The orders that take deposits or are under way, the oldest first. */
export const openOrders = (intents: Intents): ReadonlyArray<Order> =>
  Array.from(intents.orders.values()).filter((order) => isOpen(intents, order))

/** The fees of all orders that were paid out, to every account that has a row: 1Click's own is one of them. */
export const feesPaid = ({ orders }: Intents): ReadonlyArray<FeePaid> =>
  Array.from(orders.values()).flatMap(({ progress, terms: { fees, origin: { asset } } }) =>
    "payout" in progress
      ? fees.map(({ fee, recipient }) => ({
        account: recipient,
        asset,
        amount: shareOf(progress.input, fee),
      }))
      : []
  )
