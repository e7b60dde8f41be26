import { Match, Result } from "effect"
import type { Address } from "../../../domain/Address.ts"
import { shareOf } from "../../../domain/Bps.ts"
import type { EpochMillis } from "../../../domain/Time.ts"
import { EventQueue, passTime } from "../../engine/EventQueue.ts"
import type { Network } from "../../engine/State.ts"
import type { Controlled, FeePaid } from "../../engine/View.ts"
import type { PlanOrder } from "./Command.ts"
import { confirmDeposit, detect, includeDeposit, passDeadline } from "./deposits.ts"
import { arrive, settle } from "./settlement.ts"
import type { Intents, IntentsEvent, Order } from "./State.ts"
import { changedAddress } from "./orders.ts"

/**
 * The simulated NEAR Intents: orders on the chains and at the reference prices of the engine's network, in the same
 * virtual time. It is as deterministic as that network: the seed and the commands with their times decide everything.
 *
 * ```ts
 * const intents = Intents.make(network)
 * const order = openOrder(intents, command)
 * Intents.advance(intents, later)
 * ```
 */
export type { Intents } from "./State.ts"

/** The orders of a network that begins now, with its chains and prices. */
export const make = (network: Network): Intents => ({
  network,
  time: network.time,
  events: new EventQueue(),
  orders: new Map(),
  plannedTraps: [],
  transactionCount: 0,
})

const occur = (intents: Intents, event: IntentsEvent): void =>
  Match.valueTags(event, {
    IncludeDeposit: ({ deposit, order }) => includeDeposit(intents, order, deposit),
    ConfirmDeposit: ({ deposit, order }) => confirmDeposit(intents, order, deposit),
    Detect: ({ order }) => detect(intents, order),
    PassDeadline: ({ order }) => passDeadline(intents, order),
    Settle: ({ order }) => settle(intents, order),
    Arrive: ({ input, order, payout }) => arrive(intents, order, input, payout),
  })

/** Advances the orders to a time; everything that falls due by then happens. */
export const advance = (intents: Intents, to: EpochMillis): void =>
  passTime(intents, to, (event) => occur(intents, event))

/** Gives the next order this trap; several traps wait in line. */
export const planOrder = (intents: Intents, { outcome }: PlanOrder): Result.Result<Controlled> => {
  intents.plannedTraps.push(outcome)
  return Result.succeed({ _tag: "Controlled" })
}

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

export const time = (intents: Intents): EpochMillis => intents.time
