import { bytesToHex } from "@noble/hashes/utils.js"
import { Result, Struct } from "effect"
import type { RequestTrap } from "#api/SandboxCommands.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { noAmount } from "#domain/money/Amount.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { EpochMillis } from "#domain/Time.ts"
import { chainBlockTime, chainHeight } from "../../engine/blocks.ts"
import type { Deposit } from "../../engine/Command.ts"
import { scheduleAt } from "../../engine/EventQueue.ts"
import { depositAddress, digest } from "../../engine/identifiers.ts"
import type { DepositRefusal } from "../../engine/Refusal.ts"
import { controlled, makeSideNetwork, type Payment, pricesOf, send } from "../../engine/ledger.ts"
import type { Controlled, DepositSent, Network } from "../../engine/State.ts"
import type { OpenRequest, Reindex, SetChain } from "./Command.ts"
import { findChain } from "./currencies.ts"
import { converted, fillMillis, quote } from "./offer.ts"
import {
  phases,
  type ReindexRefusal,
  type Relay,
  type RelayRequest,
  type RequestRefusal,
  type RequestState,
} from "./State.ts"

/** The simulated Relay, in the engine's time and prices. Each deposit is a request of its own. */
export type { Relay } from "./State.ts"

export const make = (network: Network): Relay => ({
  ...makeSideNetwork<typeof phases[number], RequestTrap>(network, "relay", phases),
  requests: new Map(),
  requestsByAddress: new Map(),
  disabledChains: new Set(),
})

/** A year: without a TTL nothing expires while anybody looks. */
const longestTtlSeconds = 366 * 86_400

const addRequest = (
  relay: Relay,
  made: Omit<RelayRequest, "id" | "createdAt" | "updatedAt" | "children" | "unnoticed">,
): RelayRequest => {
  const request: RelayRequest = {
    ...made,
    id: `0x${bytesToHex(digest(relay.seed, "request", relay.requests.size + 1))}`,
    createdAt: relay.time,
    updatedAt: relay.time,
    children: [],
    unnoticed: [],
  }
  relay.requests.set(request.id, request)
  return request
}

/** Makes a request with a deposit address of its own; the next planned trap, if there is one, is in it. */
export const openRequest = (
  relay: Relay,
  { request }: OpenRequest,
): Result.Result<RelayRequest, RequestRefusal> =>
  Result.map(quote(relay, request), (quoted) => {
    const trap = relay.plannedTraps.shift()
    const number = relay.requestsByAddress.size + 1
    const address = depositAddress(relay.seed, chainOf(quoted.terms.origin.asset), number)
    const opened = addRequest(relay, {
      ...quoted,
      depositAddress: address,
      request,
      ttlEnd: EpochMillis.make(relay.time + 1_000 * Math.min(request.ttl ?? Infinity, longestTtlSeconds)),
      ...(trap === undefined ? {} : { trap }),
      state: "waiting",
    })
    relay.requestsByAddress.set(address, opened)
    return opened
  })

/** A request of a deposit that comes of another one, at the same deposit address. */
const addChild = (relay: Relay, parent: RelayRequest, deposit: Payment): RelayRequest => {
  const inherited = Struct.pick(parent, ["depositAddress", "request", "terms", "offer", "ttlEnd"])
  const child = addRequest(relay, { ...inherited, deposit, state: "pending" })
  parent.children.push(child)
  return child
}

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
const takeUp = (relay: Relay, request: RelayRequest): bigint => {
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

/** The money goes on under a request of its own, and this one stays as it is. */
const supersede = (relay: Relay, request: RelayRequest, deposit: Payment): RelayRequest => {
  request.updatedAt = relay.time
  return request.supersededBy = addChild(relay, request, deposit)
}

const delayMillis = 10 * 60_000

/** A deposit counts: it is filled, or goes back. */
const confirmDeposit = (relay: Relay, request: RelayRequest, deposit: Payment): void => {
  // A strict address is for one deposit: a further one is of another request, and goes back.
  if (request.deposit !== deposit || request.state !== "pending") {
    return refund(relay, addChild(relay, request, deposit), deposit.amount, "DOUBLE_SPEND")
  }
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

/** Switches a chain off, or on again; what is under way goes on. */
export const setChain = (relay: Relay, { chain, disabled }: SetChain): Result.Result<Controlled> => {
  if (disabled) relay.disabledChains.add(chain)
  else relay.disabledChains.delete(chain)
  return controlled
}

/** How long an address is not looked at again. */
const reindexPauseMillis = 5 * 60_000

export interface Reindexed {
  readonly request: RelayRequest
  /** Smallest units of the origin currency; 0 where nothing was found. */
  readonly balance: bigint
}

export const reindex = (
  relay: Relay,
  { address, chainId }: Reindex,
): Result.Result<Reindexed, ReindexRefusal> => {
  const request = relay.requestsByAddress.get(address)
  if (request === undefined || findChain(chainId) !== request.terms.origin.chain) {
    return Result.fail({ _tag: "UnknownDepositAddress" })
  }
  if (relay.time < (request.reindexedAt ?? -Infinity) + reindexPauseMillis) {
    return Result.fail({ _tag: "ReindexedTooRecently" })
  }
  request.reindexedAt = relay.time
  return Result.succeed({ request, balance: takeUp(relay, request) })
}

export const findRequest = (relay: Relay, id: string): RelayRequest | undefined =>
  relay.requests.get(id.toLowerCase())

export const requestAt = (relay: Relay, address: string): RelayRequest | undefined =>
  relay.requestsByAddress.get(address)

export const allRequests = (relay: Relay): ReadonlyArray<RelayRequest> => Array.from(relay.requests.values())

/** The app fees of a request, once it was filled, in the currency that was deposited. */
export const feesPaidBy = ({ offer, payout, request, terms: { origin: { asset } } }: RelayRequest) =>
  payout === undefined || offer.appFee === 0n ? [] : (request.appFees ?? []).map(({ fee, recipient }) => ({
    account: recipient,
    asset,
    amount: shareOf(offer.amountIn, Number(fee)),
  }))

const isOpen = (relay: Relay, { state, ttlEnd }: RelayRequest): boolean =>
  state === "waiting" ? relay.time < ttlEnd : state !== "success" && state !== "refund" && state !== "failure"

/** The requests that take a deposit or are on their way, the oldest first. */
export const openRequests = (relay: Relay): ReadonlyArray<RelayRequest> =>
  Array.from(relay.requestsByAddress.values()).filter((request) => isOpen(relay, request))
