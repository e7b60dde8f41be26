import type { Address } from "#domain/chains/Address.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import { EpochMillis } from "#domain/Time.ts"
import { EventQueue, scheduleAt, type Timeline } from "./EventQueue.ts"
import type { Controlled, Network } from "./State.ts"
import { assetState } from "./figures.ts"
import { Result } from "effect"
import type { Chain } from "#domain/chains/Chain.ts"
import { chainBlockTime, chainHeight, confirmedBlock } from "./blocks.ts"
import { transactionReference } from "./identifiers.ts"

/**
 * Orders that a deposit to an address begins: a deposit is seen, confirmed, collected, settled, and paid out or sent
 * back. What an upstream does in its own way are its rules; how it writes an order is its wire.
 */

/** The order of events at the same moment: deposits count before a deadline at that moment. */
export const phases = ["include", "confirm", "detect", "deadline", "settle", "arrive"] as const

export interface OrderDeposit {
  readonly amount: NativeAmount
  readonly transactionReference: string
  /** Whether its block comes before the deadline; a block at the deadline itself is late. */
  readonly isTimely: boolean
  isIncluded: boolean
  isConfirmed: boolean
}

/** A payment in smallest units, and its transaction. */
export interface Payment {
  readonly amount: bigint
  readonly transactionReference: string
}

export type OrderState =
  | "waiting"
  | "seen"
  /** The confirmed deposits are less than the order needs. */
  | "incomplete"
  | "processing"
  /** The payment is sent, and not confirmed. */
  | "paying"
  | "paid"
  | "refunded"
  /** The deposit does not even cover the fee of its refund. */
  | "failed"

/** An order; `Terms` are those of its upstream. */
export interface Order<Terms, Trap> {
  readonly number: number
  readonly createdAt: EpochMillis
  readonly address: Address
  readonly origin: AssetId
  readonly destination: AssetId
  readonly terms: Terms
  readonly deadline: EpochMillis
  readonly trap?: Trap
  readonly deposits: Array<OrderDeposit>
  state: OrderState
  updatedAt: EpochMillis
  /** False while an order that a trap holds up does not see its deposits. */
  isDetecting: boolean
  /** What is settled, in smallest units of the origin asset. */
  input?: bigint
  payout?: Payment
  /** All that went back, net of fees, with the reason of its last part. */
  refund?: { readonly amount: bigint; readonly reason: string }
}

/** What comes of a deposit, in smallest units: a part is swapped and the rest goes back, or no part is swapped. */
export type Outcome =
  | { readonly swapped: bigint; readonly paid: bigint }
  | { readonly returned: bigint; readonly reason: string }

/** What an upstream does with its orders. Amounts are in smallest units of the origin asset. */
export interface Rules<Terms, Trap> {
  readonly name: string
  /** The least that is settled. */
  readonly least: (order: Order<Terms, Trap>) => bigint
  /** Milliseconds from a whole deposit to the payment. */
  readonly settlingMillis: number
  readonly outcome: (order: Order<Terms, Trap>, input: bigint) => Outcome
  readonly refundFee: (order: Order<Terms, Trap>) => bigint
  /** Milliseconds from a confirmation until an order sees its deposit; undefined for an order that sees it at once. */
  readonly hiddenMillis: (order: Pick<Order<Terms, Trap>, "terms" | "trap">) => number | undefined
  readonly reasons: Readonly<Record<"partial" | "late" | "excess", string>>
}

/** A network beside Chainflip's: same chains, prices and time; seed and commands decide everything. */
export interface SideNetwork<Phase extends string, Trap> extends Timeline<Phase> {
  readonly network: Network
  /** The seed of its addresses and transactions; it differs from every other network's, so that none coincides. */
  readonly seed: string
  /** How its next orders go wrong, in line. */
  readonly plannedTraps: Array<Trap>
  transactionCount: number
}

export const makeSideNetwork = <Phase extends string, Trap>(
  network: Network,
  name: string,
  phases: ReadonlyArray<Phase>,
): SideNetwork<Phase, Trap> => ({
  network,
  seed: `${network.seed}/${name}`,
  time: network.time,
  events: new EventQueue(),
  phases,
  plannedTraps: [],
  transactionCount: 0,
})

export const controlled: Result.Result<Controlled> = Result.succeed({ _tag: "Controlled" })

/** Lets the next order go wrong in this way; several wait in line. */
export const planTrap = <Trap>(
  { plannedTraps }: { readonly plannedTraps: Array<Trap> },
  { outcome }: { readonly outcome: NoInfer<Trap> },
): Result.Result<Controlled> => {
  plannedTraps.push(outcome)
  return controlled
}

/** A transaction with the times at which its block comes, and at which it has its confirmations. */
interface SentTransfer {
  readonly transactionReference: string
  readonly includedAt: EpochMillis
  readonly confirmedAt: EpochMillis
}

/** Sends a transaction, which the next block of its chain includes. */
export const send = (guest: SideNetwork<string, unknown>, chain: Chain): SentTransfer => {
  const { network, seed, time } = guest
  const block = chainHeight(network, chain, time) + 1
  return {
    transactionReference: transactionReference(chain, { seed, block, number: ++guest.transactionCount }),
    includedAt: chainBlockTime(network, chain, block),
    confirmedAt: chainBlockTime(network, chain, confirmedBlock(chain, block)),
  }
}

/** Reference prices of a pair, in native usdc.eth for one whole unit. */
export interface Prices {
  readonly origin: bigint
  readonly destination: bigint
}

interface Pair {
  readonly origin: { readonly asset: AssetId }
  readonly destination: { readonly asset: AssetId }
}

export const pricesOf = (network: Network, { destination, origin }: Pair): Prices => ({
  origin: assetState(network, origin.asset).price,
  destination: assetState(network, destination.asset).price,
})

export interface Ledger<Terms, Trap> extends SideNetwork<typeof phases[number], Trap> {
  readonly rules: Rules<Terms, Trap>
  readonly orders: Map<string, Order<Terms, Trap>>
}

export const makeLedger = <Terms, Trap>(network: Network, rules: Rules<Terms, Trap>) => ({
  ...makeSideNetwork<typeof phases[number], Trap>(network, rules.name, phases),
  rules,
  orders: new Map(),
})

const progress = <T, R>(ledger: Ledger<T, R>, order: Order<T, R>, state: OrderState): void => {
  order.state = state
  order.updatedAt = ledger.time
}

/** Opens an order for a while, with the next planned trap, if there is one. */
export const openOrder = <T, R>(
  ledger: Ledger<T, R>,
  { addressOf, lifetimeMillis, ...order }: Pick<Order<T, R>, "origin" | "destination" | "terms"> & {
    readonly lifetimeMillis: number
    readonly addressOf: (number: number) => Address
  },
): Order<T, R> => {
  const number = ledger.orders.size + 1
  const trap = ledger.plannedTraps.shift()
  const trapped = { ...order, ...(trap === undefined ? {} : { trap }) }
  const opened: Order<T, R> = {
    ...trapped,
    number,
    createdAt: ledger.time,
    address: addressOf(number),
    deadline: EpochMillis.make(ledger.time + lifetimeMillis),
    deposits: [],
    state: "waiting",
    updatedAt: ledger.time,
    isDetecting: ledger.rules.hiddenMillis(trapped) === undefined,
  }
  ledger.orders.set(opened.address, opened)
  scheduleAt(ledger, opened.deadline, "deadline", () => {
    if (opened.state === "incomplete") evaluate(ledger, opened)
  })
  return opened
}

/** Sends a transaction to the address of an order, which the next block of the origin's chain includes. */
export const sendDeposit = <T, R>(ledger: Ledger<T, R>, order: Order<T, R>, amount: NativeAmount): string => {
  const { confirmedAt, includedAt, transactionReference } = send(ledger, chainOf(order.origin))
  const isTimely = includedAt < order.deadline
  const deposit: OrderDeposit = {
    amount,
    transactionReference,
    isTimely,
    isIncluded: false,
    isConfirmed: false,
  }
  order.deposits.push(deposit)
  scheduleAt(ledger, includedAt, "include", () => {
    deposit.isIncluded = true
    if (order.isDetecting) notice(ledger, order)
  })
  scheduleAt(ledger, confirmedAt, "confirm", () => confirm(ledger, order, deposit))
  return transactionReference
}

/** Shows a transaction to an order, which then need not look for it. */
export const showDeposit = <T, R>(ledger: Ledger<T, R>, order: Order<T, R>, transactionReference: string) => {
  if (!order.deposits.some((deposit) => deposit.transactionReference === transactionReference)) return
  detect(ledger, order)
  notice(ledger, order)
}

const notice = <T, R>(ledger: Ledger<T, R>, order: Order<T, R>): void => {
  if (order.state === "waiting") progress(ledger, order, "seen")
}

const isCollecting = ({ state }: Pick<Order<unknown, unknown>, "state">): boolean =>
  state === "waiting" || state === "seen" || state === "incomplete"

const collected = ({ deposits }: Pick<Order<unknown, unknown>, "deposits">): bigint =>
  deposits.reduce(
    (sum, { amount, isConfirmed, isTimely }) => isConfirmed && isTimely ? sum + amount : sum,
    0n,
  )

const confirm = <T, R>(ledger: Ledger<T, R>, order: Order<T, R>, deposit: OrderDeposit): void => {
  const { hiddenMillis, reasons } = ledger.rules
  deposit.isConfirmed = true
  if (!isCollecting(order)) return giveBack(ledger, order, deposit.amount, reasons.excess)
  if (!deposit.isTimely) {
    giveBack(ledger, order, deposit.amount, reasons.late)
    return collected(order) === 0n ? conclude(ledger, order) : undefined
  }
  if (order.isDetecting) return evaluate(ledger, order)
  scheduleAt(ledger, ledger.time + (hiddenMillis(order) ?? 0), "detect", () => detect(ledger, order))
}

/** Lets an order see the deposits that a trap hid from it. */
const detect = <T, R>(ledger: Ledger<T, R>, order: Order<T, R>): void => {
  if (order.isDetecting) return
  order.isDetecting = true
  if (!isCollecting(order)) return
  notice(ledger, order)
  if (order.deposits.some(({ isConfirmed }) => isConfirmed)) evaluate(ledger, order)
}

/** Settles a whole deposit; a part of one waits for the rest until the deadline, and then goes back. */
const evaluate = <T, R>(ledger: Ledger<T, R>, order: Order<T, R>): void => {
  const { least, reasons, settlingMillis } = ledger.rules
  const input = collected(order)
  if (input >= least(order)) {
    order.input = input
    progress(ledger, order, "processing")
    return scheduleAt(ledger, ledger.time + settlingMillis, "settle", () => settle(ledger, order, input))
  }
  const isRestUnderWay = order.deposits.some(({ isConfirmed, isTimely }) => !isConfirmed && isTimely)
  if (ledger.time < order.deadline || isRestUnderWay) return progress(ledger, order, "incomplete")
  giveBack(ledger, order, input, reasons.partial)
  conclude(ledger, order)
}

const settle = <T, R>(ledger: Ledger<T, R>, order: Order<T, R>, input: bigint): void => {
  const outcome = ledger.rules.outcome(order, input)
  if ("reason" in outcome) {
    giveBack(ledger, order, outcome.returned, outcome.reason)
    return conclude(ledger, order)
  }
  giveBack(ledger, order, input - outcome.swapped, ledger.rules.reasons.excess)
  const { confirmedAt, transactionReference } = send(ledger, chainOf(order.destination))
  order.input = outcome.swapped
  order.payout = { amount: outcome.paid, transactionReference }
  progress(ledger, order, "paying")
  scheduleAt(ledger, confirmedAt, "arrive", () => progress(ledger, order, "paid"))
}

/** Sends an amount back, less the fee; an amount that does not cover the fee stays where it is. */
const giveBack = <T, R>(ledger: Ledger<T, R>, order: Order<T, R>, amount: bigint, reason: string): void => {
  const net = amount - ledger.rules.refundFee(order)
  if (net <= 0n) return
  order.refund = { amount: (order.refund?.amount ?? 0n) + net, reason }
  order.updatedAt = ledger.time
}

const conclude = <T, R>(ledger: Ledger<T, R>, order: Order<T, R>): void =>
  progress(ledger, order, order.refund === undefined ? "failed" : "refunded")

export const isOpen = <T, R>({ time }: Ledger<T, R>, { deadline, state }: Order<T, R>): boolean =>
  state === "waiting" ? time < deadline : state !== "paid" && state !== "refunded" && state !== "failed"
