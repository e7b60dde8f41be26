import { Result } from "effect"
import { noAmount } from "../../../domain/Amount.ts"
import { chainOf } from "../../../domain/Asset.ts"
import { chainBlockTime, chainHeight, confirmedBlock } from "../../engine/blocks.ts"
import type { Deposit } from "../../engine/Command.ts"
import type { DepositRefusal } from "../../engine/Refusal.ts"
import type { DepositSent } from "../../engine/View.ts"
import type { SubmitDeposit } from "./Command.ts"
import { processingMillis } from "./offer.ts"
import { giveBack, progress, scheduleAfter, scheduleAt, sendBack } from "./progress.ts"
import type { Intents, Order, OrderDeposit, UnknownOrder } from "./State.ts"
import { nextTransaction } from "./orders.ts"

/** Sends a transaction to an order's address; the origin chain's next block holds it. */
export const depositToOrder = (
  intents: Intents,
  { address, amount }: Deposit,
): Result.Result<DepositSent, DepositRefusal> => {
  const order = intents.orders.get(address)
  if (order === undefined) return Result.fail({ _tag: "UnknownAddress", address })
  if (amount === noAmount) return Result.fail({ _tag: "ZeroAmount" })
  const { network } = intents
  const chain = chainOf(order.terms.origin.asset)
  const block = chainHeight(network, chain, intents.time) + 1
  const deposit: OrderDeposit = {
    amount,
    transactionReference: nextTransaction(intents, order.terms.origin.asset),
    includedAt: chainBlockTime(network, chain, block),
    isIncluded: false,
    isConfirmed: false,
  }
  order.deposits.push(deposit)
  scheduleAt(intents, deposit.includedAt, { _tag: "IncludeDeposit", order, deposit })
  scheduleAt(intents, chainBlockTime(network, chain, confirmedBlock(chain, block)), {
    _tag: "ConfirmDeposit",
    order,
    deposit,
  })
  return Result.succeed({ _tag: "DepositSent", transactionReference: deposit.transactionReference })
}

const notice = (intents: Intents, order: Order): void => {
  if (order.progress._tag === "PendingDeposit") progress(intents, order, { _tag: "KnownDeposit" })
}

/** The deposit is on the chain, where anyone can see it. */
export const includeDeposit = (intents: Intents, order: Order, deposit: OrderDeposit): void => {
  deposit.isIncluded = true
  if (order.isDetecting) notice(intents, order)
}

/** A deposit in a block at the deadline itself is too late, as one in a channel's expiry block is. */
const isTimely = ({ deadline }: Order, { includedAt }: OrderDeposit): boolean => includedAt < deadline

const isCollecting = ({ progress }: Order): boolean =>
  progress._tag === "PendingDeposit" || progress._tag === "KnownDeposit" ||
  progress._tag === "IncompleteDeposit"

/** The confirmed deposits that came in time, together, in smallest units of the order's origin asset. */
const collected = (order: Order): bigint =>
  order.deposits.reduce(
    (sum, deposit) => deposit.isConfirmed && isTimely(order, deposit) ? sum + deposit.amount : sum,
    0n,
  )

const isWaitingForConfirmation = (order: Order): boolean =>
  order.deposits.some((deposit) => !deposit.isConfirmed && isTimely(order, deposit))

/** A complete deposit is processed; an incomplete one may be completed until the deadline, then goes back. */
const evaluate = (intents: Intents, order: Order): void => {
  const input = collected(order)
  if (input >= order.offer.minimumAmountIn) {
    progress(intents, order, { _tag: "Processing", input })
    scheduleAfter(intents, processingMillis, { _tag: "Settle", order })
  } else if (intents.time < order.deadline || isWaitingForConfirmation(order)) {
    progress(intents, order, { _tag: "IncompleteDeposit" })
  } else {
    sendBack(intents, order, input, "PARTIAL_DEPOSIT")
  }
}

/** Sends a late deposit back; the order ends with that unless a timely one is still to be seen. */
const refuseLate = (intents: Intents, order: Order, { amount }: OrderDeposit): void =>
  collected(order) === 0n
    ? sendBack(intents, order, amount, "LATE_DEPOSIT")
    : giveBack(intents, order, amount, "LATE_DEPOSIT")

/** A deposit has its confirmations. One that nothing is waiting for any more goes back. */
export const confirmDeposit = (intents: Intents, order: Order, deposit: OrderDeposit): void => {
  deposit.isConfirmed = true
  if (!isCollecting(order)) return sendBack(intents, order, deposit.amount, "EXCESS_DEPOSIT")
  if (!isTimely(order, deposit)) return refuseLate(intents, order, deposit)
  if (order.isDetecting) return evaluate(intents, order)
  scheduleAfter(intents, 2_000 * order.offer.timeEstimateSeconds, { _tag: "Detect", order })
}

/** A stuck order sees its deposits at last. */
export const detect = (intents: Intents, order: Order): void => {
  if (order.isDetecting) return
  order.isDetecting = true
  if (!isCollecting(order)) return
  notice(intents, order)
  if (order.deposits.some(({ isConfirmed }) => isConfirmed)) evaluate(intents, order)
}

/** Money that has come in part goes back, unless more is on its way in time. */
export const passDeadline = (intents: Intents, order: Order): void => {
  if (order.progress._tag === "IncompleteDeposit") evaluate(intents, order)
}

/** The client names its transaction: an order that knows of it need not look for it. */
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
