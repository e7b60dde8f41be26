import { Result } from "effect"
import { noAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import type { Deposit } from "../../engine/Command.ts"
import { scheduleAt } from "../../engine/EventQueue.ts"
import { send } from "../../engine/sideNetworks.ts"
import type { DepositRefusal } from "../../engine/Refusal.ts"
import type { DepositSent } from "../../engine/View.ts"
import type { SubmitDeposit } from "./Command.ts"
import { processingMillis } from "./offer.ts"
import { giveBack, progress, sendBack, settle } from "./settlement.ts"
import type { Intents, Order, OrderDeposit, UnknownOrder } from "./State.ts"

/** Sends a transaction to an order's address; the origin chain's next block includes it. */
export const depositToOrder = (
  intents: Intents,
  { address, amount }: Deposit,
): Result.Result<DepositSent, DepositRefusal> => {
  const order = intents.orders.get(address)
  if (order === undefined) return Result.fail({ _tag: "UnknownAddress", address })
  if (amount === noAmount) return Result.fail({ _tag: "ZeroAmount" })
  const { asset, least } = order.terms.origin
  const { confirmedAt, includedAt, transactionReference } = send(intents, chainOf(asset))
  // The bridge never sees so little; on the XRP Ledger it does not even make the account that it is sent to.
  if (amount < (least?.deposit ?? 0n)) return Result.succeed({ _tag: "DepositSent", transactionReference })
  const deposit: OrderDeposit = {
    amount,
    transactionReference,
    includedAt,
    isIncluded: false,
    isConfirmed: false,
  }
  order.deposits.push(deposit)
  scheduleAt(intents, includedAt, "include", () => includeDeposit(intents, order, deposit))
  scheduleAt(intents, confirmedAt, "confirm", () => confirmDeposit(intents, order, deposit))
  return Result.succeed({ _tag: "DepositSent", transactionReference })
}

const notice = (intents: Intents, order: Order): void => {
  if (order.progress._tag === "PendingDeposit") progress(intents, order, { _tag: "KnownDeposit" })
}

/** Includes the deposit in its block, where anyone can see it. */
const includeDeposit = (intents: Intents, order: Order, deposit: OrderDeposit): void => {
  deposit.isIncluded = true
  if (order.isDetecting) notice(intents, order)
}

/** Whether a deposit is in time: it is late in a block at the deadline itself, as in a channel's expiry block. */
const isTimely = ({ deadline }: Order, { includedAt }: OrderDeposit): boolean => includedAt < deadline

const isCollecting = ({ progress }: Order): boolean =>
  progress._tag === "PendingDeposit" || progress._tag === "KnownDeposit" ||
  progress._tag === "IncompleteDeposit"

/** The sum of the confirmed deposits that came in time, in smallest units of the order's origin asset. */
const collected = (order: Order): bigint =>
  order.deposits.reduce(
    (sum, deposit) => deposit.isConfirmed && isTimely(order, deposit) ? sum + deposit.amount : sum,
    0n,
  )

const isWaitingForConfirmation = (order: Order): boolean =>
  order.deposits.some((deposit) => !deposit.isConfirmed && isTimely(order, deposit))

/** Processes a complete deposit; an incomplete one can be completed until the deadline, and is then refunded. */
const evaluate = (intents: Intents, order: Order): void => {
  const input = collected(order)
  if (input >= order.offer.minimumAmountIn) {
    progress(intents, order, { _tag: "Processing", input })
    scheduleAt(intents, intents.time + processingMillis, "settle", () => settle(intents, order))
  } else if (intents.time < order.deadline || isWaitingForConfirmation(order)) {
    progress(intents, order, { _tag: "IncompleteDeposit" })
  } else {
    sendBack(intents, order, input, "PARTIAL_DEPOSIT")
  }
}

/** Refunds a late deposit; that ends the order unless it has a timely one. */
const refuseLate = (intents: Intents, order: Order, { amount }: OrderDeposit): void =>
  collected(order) === 0n
    ? sendBack(intents, order, amount, "LATE_DEPOSIT")
    : giveBack(intents, order, amount, "LATE_DEPOSIT")

/** Confirms a deposit; one that the order no longer waits for is refunded. */
const confirmDeposit = (intents: Intents, order: Order, deposit: OrderDeposit): void => {
  deposit.isConfirmed = true
  if (!isCollecting(order)) return sendBack(intents, order, deposit.amount, "EXCESS_DEPOSIT")
  if (!isTimely(order, deposit)) return refuseLate(intents, order, deposit)
  if (order.isDetecting) return evaluate(intents, order)
  const detectedAt = intents.time + 2_000 * order.offer.timeEstimateSeconds
  scheduleAt(intents, detectedAt, "detect", () => detect(intents, order))
}

/** Lets a stuck order see its deposits. */
const detect = (intents: Intents, order: Order): void => {
  if (order.isDetecting) return
  order.isDetecting = true
  if (!isCollecting(order)) return
  notice(intents, order)
  if (order.deposits.some(({ isConfirmed }) => isConfirmed)) evaluate(intents, order)
}

/** Refunds an incomplete deposit at the deadline, unless the rest is on its way in time. */
export const passDeadline = (intents: Intents, order: Order): void => {
  if (order.progress._tag === "IncompleteDeposit") evaluate(intents, order)
}

/** Takes a client's report of its transaction: an order that knows of it need not look for it. */
export const submitDeposit = (
  intents: Intents,
  { address, transactionReference }: SubmitDeposit,
): Result.Result<Order, UnknownOrder> => {
  const order = intents.orders.get(address)
  if (order === undefined) return Result.fail({ _tag: "UnknownOrder", address })
  if (order.deposits.some((deposit) => deposit.transactionReference === transactionReference)) {
    detect(intents, order)
    notice(intents, order)
  }
  return Result.succeed(order)
}
