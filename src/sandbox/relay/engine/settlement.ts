import { Result } from "effect"
import { noAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { chainBlockTime, chainHeight } from "../../engine/blocks.ts"
import type { Deposit } from "../../engine/Command.ts"
import { scheduleAt } from "../../engine/EventQueue.ts"
import type { Payment } from "../../engine/ledger.ts"
import { pricesOf, send } from "../../engine/sideNetworks.ts"
import type { DepositRefusal } from "../../engine/Refusal.ts"
import type { DepositSent } from "../../engine/View.ts"
import { converted, fillMillis } from "./offer.ts"
import { addChild } from "./requests.ts"
import type { Relay, RelayRequest, RequestState } from "./State.ts"

const progress = (relay: Relay, request: RelayRequest, to: RequestState): void => {
  request.state = to
  request.updatedAt = relay.time
}

/** Sends a transaction to a deposit address; the origin chain's next block holds it. */
export const depositToRequest = (
  relay: Relay,
  { address, amount }: Deposit,
): Result.Result<DepositSent, DepositRefusal> => {
  const request = relay.requestsByAddress.get(address)
  if (request === undefined) return Result.fail({ _tag: "UnknownAddress", address })
  if (amount === noAmount) return Result.fail({ _tag: "ZeroAmount" })
  const chain = chainOf(request.terms.origin.asset)
  const { includedAt, transactionReference } = send(relay, chain)
  const deposit = { amount, transactionReference }
  scheduleAt(relay, includedAt, "include", () => includeDeposit(relay, request, deposit))
  // A deposit on Bitcoin is seen before it is in a block.
  if (chain === "Bitcoin" && request.trap !== "undetected") notice(relay, request, deposit)
  return Result.succeed({ _tag: "DepositSent", transactionReference })
}

const notice = (relay: Relay, request: RelayRequest, deposit: Payment): void => {
  if (request.state !== "waiting") return
  request.deposit = deposit
  progress(relay, request, "pending")
}

/** The deposit is in a block. On Bitcoin that is its one confirmation; elsewhere another block follows. */
const includeDeposit = (relay: Relay, request: RelayRequest, deposit: Payment): void => {
  if (request.trap === "undetected") {
    request.unnoticed.push(deposit)
    return
  }
  notice(relay, request, deposit)
  const chain = chainOf(request.terms.origin.asset)
  const block = chainHeight(relay.network, chain, relay.time) + (chain === "Bitcoin" ? 0 : 1)
  const confirmedAt = chainBlockTime(relay.network, chain, block)
  scheduleAt(relay, confirmedAt, "confirm", () => confirmDeposit(relay, request, deposit))
}

/** Takes up the deposits that nobody noticed; gives what was found. */
export const takeUp = (relay: Relay, request: RelayRequest): bigint => {
  const found = request.unnoticed.splice(0)
  for (const deposit of found) {
    notice(relay, request, deposit)
    scheduleAt(relay, relay.time, "confirm", () => confirmDeposit(relay, request, deposit))
  }
  return found.reduce((sum, { amount }) => sum + amount, 0n)
}

/** Sends money back, less the gas; what does not cover the gas stays where it is. */
const giveBack = (relay: Relay, request: RelayRequest, amount: bigint): boolean => {
  const { asset, gas } = request.terms.origin
  if (amount <= gas || request.trap === "refundFails") return false
  const { transactionReference } = send(relay, chainOf(asset))
  request.refund = { amount: amount - gas, transactionReference }
  return true
}

const refund = (relay: Relay, request: RelayRequest, amount: bigint, reason: string): void => {
  request.failReason = reason
  if (!giveBack(relay, request, amount)) request.refundFailReason = "AMOUNT_TOO_LOW_TO_REFUND"
  else if (request.trap === "fillFails") {
    request.settlement = { ...send(relay, chainOf(request.terms.origin.asset)), amount: 0n }
  }
  progress(relay, request, "refund")
}

/** A strict address is for one deposit: whatever comes after it is another request's, and goes back. */
const refuseSecond = (relay: Relay, request: RelayRequest, deposit: Payment): void => {
  refund(relay, addChild(relay, request, deposit), deposit.amount, "DOUBLE_SPEND")
}

/** The money goes on under a request of its own, and this one stays as it is. */
const supersede = (relay: Relay, request: RelayRequest, deposit: Payment): RelayRequest => {
  request.updatedAt = relay.time
  return request.supersededBy = addChild(relay, request, deposit)
}

/** How long a delayed fill waits. */
const delayMillis = 10 * 60_000

/** A deposit counts: it is filled, or goes back. */
const confirmDeposit = (relay: Relay, request: RelayRequest, deposit: Payment): void => {
  if (request.deposit !== deposit || request.state !== "pending") return refuseSecond(relay, request, deposit)
  if (request.trap === "blockedWallet") {
    request.failReason = "BLOCKED_WALLET"
    return progress(relay, request, "failure")
  }
  if (deposit.amount < request.offer.amountIn) {
    return refund(relay, request, deposit.amount, "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL")
  }
  const filled = request.trap === "superseded" ? supersede(relay, request, deposit) : request
  const isDelayed = request.trap === "delayed"
  if (isDelayed) progress(relay, request, "delayed")
  const filledAt = relay.time + (isDelayed ? delayMillis : fillMillis)
  scheduleAt(relay, filledAt, "fill", () => fill(relay, filled, deposit))
}

/** Why the solver does not fill a request any more. */
const obstacle = (relay: Relay, { offer, terms, trap, ttlEnd }: RelayRequest): string | undefined => {
  if (trap === "ttlExpired" || relay.time > ttlEnd) return "TTL_EXPIRED"
  if (trap === "fillFails" || trap === "refundFails") return "EXECUTION_REVERTED"
  const { appFee, amountIn, amountOut, gasFee, serviceFee } = offer
  const now = converted(amountIn - appFee - gasFee - serviceFee, terms, pricesOf(relay.network, terms))
  return now < shareOf(amountOut, 10_000 - terms.slippageBps) ? "SLIPPAGE" : undefined
}

/** The solver's turn: it pays what it has quoted, or, when the prices have left the tolerance, all goes back. */
const fill = (relay: Relay, request: RelayRequest, deposit: Payment): void => {
  const reason = obstacle(relay, request)
  if (reason !== undefined) return refund(relay, request, deposit.amount, reason)
  const { includedAt, transactionReference } = send(relay, chainOf(request.terms.destination.asset))
  request.payout = { amount: request.offer.amountOut, transactionReference }
  giveBack(relay, request, deposit.amount - request.offer.amountIn)
  progress(relay, request, "submitted")
  scheduleAt(relay, includedAt, "arrive", () => progress(relay, request, "success"))
}
