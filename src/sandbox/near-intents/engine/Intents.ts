import { Result } from "effect"
import type { OrderTrap } from "#api/SandboxCommands.ts"
import type { Address } from "#domain/chains/Address.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { noAmount } from "#domain/money/Amount.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { isSent } from "#domain/quotes/ExactOutput.ts"
import type { Deposit } from "../../engine/Command.ts"
import type { DepositRefusal } from "../../engine/Refusal.ts"
import type { DepositSent, FeePaid, Network } from "../../engine/State.ts"
import { depositAddress } from "../../engine/identifiers.ts"
import { type Outcome, pricesOf, type Rules, send } from "../../engine/ledger.ts"
import * as Ledger from "../../engine/ledger.ts"
import { smaller, valueOf } from "../../engine/pools.ts"
import type { OpenOrder, SubmitDeposit } from "./Command.ts"
import type { Intents, IntentsOrder, Quoted, RequestRefusal, UnknownOrder } from "./State.ts"
import { maximumValue, processingMillis, quote } from "./offer.ts"

/** What 1Click does with its orders (near-intents/wire.md 1, fees and states). */

/** The output of an input at the rate of the offer: half of an improvement of prices is the caller's, all of a loss. */
const ofInput = (network: Network, { terms: { offer, terms } }: IntentsOrder, deposited: bigint): Outcome => {
  const swapped = terms.isExact ? smaller(deposited, offer.amountIn) : deposited
  const atRate = (amount: bigint) => amount * swapped / offer.amountIn
  const now = pricesOf(network, terms)
  const offered = atRate(offer.grossOut)
  const current = offered * now.origin * offer.prices.destination / (offer.prices.origin * now.destination)
  const gross = current > offered ? offered + (current - offered) / 2n : current
  const paid = gross - offer.withdrawFee
  const refused = (reason: string): Outcome => ({ returned: deposited, reason })
  if (valueOf(network, terms.origin.asset, swapped) > maximumValue) return refused("NO_LIQUIDITY")
  if (gross < atRate(offer.minimumAmountOut + offer.withdrawFee)) return refused("PRICE_MOVED")
  return paid > 0n ? { swapped, paid } : refused(reasons.partial)
}

/** An exact output takes the offer's least input at the present prices; half of an improvement is the solver's. */
const ofOutput = (network: Network, { terms: { offer, terms } }: IntentsOrder, deposited: bigint) => {
  const now = pricesOf(network, terms)
  const { minimumAmountIn: offered, prices } = offer
  const divisor = now.origin * prices.destination
  const current = (offered * prices.origin * now.destination + divisor - 1n) / divisor
  const swapped = current < offered ? offered - (offered - current) / 2n : current
  return swapped > smaller(deposited, offer.amountIn)
    ? { returned: deposited, reason: "PRICE_MOVED" }
    : { swapped, paid: offer.amountOut }
}

/** The part of a deposit that an order with a trap sends back instead of a payment. */
const returnedBy = (trap: OrderTrap | undefined, deposited: bigint): bigint | undefined => {
  if (trap === "successThatIsRefund" || trap === "incompleteThatIsRefund") return deposited
  return trap === "failedInPart" ? deposited / 2n : undefined
}

const reasons = { partial: "PARTIAL_DEPOSIT", late: "LATE_DEPOSIT", excess: "EXCESS_DEPOSIT" } as const

const intentsRules = (network: Network): Rules<Quoted, OrderTrap> => ({
  name: "near-intents",
  least: ({ terms: { offer } }) => offer.minimumAmountIn,
  settlingMillis: processingMillis,
  outcome: (order, deposited) => {
    const returned = returnedBy(order.trap, deposited)
    if (returned !== undefined) return { returned, reason: "SOLVER_FAILED" }
    const outcomeOf = isSent(order.terms.terms.amount) ? ofInput : ofOutput
    return outcomeOf(network, order, deposited)
  },
  refundFee: ({ terms: { offer } }) => offer.refundFee,
  hiddenMillis: ({ terms: { offer }, trap }) =>
    trap === "stuckPending" ? 2_000 * offer.timeEstimateSeconds : undefined,
  reasons,
})

/** The simulated NEAR Intents: a ledger of orders with 1Click's rules. */
export type { Intents } from "./State.ts"

export const make = (network: Network): Intents => Ledger.makeLedger(network, intentsRules(network))

export const openOrder = (
  intents: Intents,
  { areFeesAsAsked = false, lifetimeMillis, request }: OpenOrder,
): Result.Result<IntentsOrder, RequestRefusal> =>
  Result.map(quote(intents, request, areFeesAsAsked), (quoted) => {
    const [origin, destination] = [quoted.terms.origin.asset, quoted.terms.destination.asset]
    const addressOf = (number: number) => depositAddress(intents.seed, chainOf(origin), number)
    return Ledger.openOrder(intents, { origin, destination, terms: quoted, lifetimeMillis, addressOf })
  })

export const depositToOrder = (
  intents: Intents,
  { address, amount }: Deposit,
): Result.Result<DepositSent, DepositRefusal> => {
  const order = intents.orders.get(address)
  if (order === undefined) return Result.fail({ _tag: "UnknownAddress", address })
  if (amount === noAmount) return Result.fail({ _tag: "ZeroAmount" })
  const { least } = order.terms.terms.origin
  // The bridge never sees so little; on the XRP Ledger it does not even make the account that it is sent to.
  const transactionReference = amount < (least?.deposit ?? 0n)
    ? send(intents, chainOf(order.origin)).transactionReference
    : Ledger.sendDeposit(intents, order, amount)
  return Result.succeed({ _tag: "DepositSent", transactionReference })
}

export const submitDeposit = (
  intents: Intents,
  { address, transactionReference }: SubmitDeposit,
): Result.Result<IntentsOrder, UnknownOrder> => {
  const order = intents.orders.get(address)
  if (order === undefined) return Result.fail({ _tag: "UnknownOrder", address })
  Ledger.showDeposit(intents, order, transactionReference)
  return Result.succeed(order)
}

/** How long an order with the trap `notIndexedYet` cannot be looked up. */
const indexingMillis = 120_000

const isIndexed = ({ time }: Intents, { createdAt, trap }: IntentsOrder): boolean =>
  trap !== "notIndexedYet" || time >= createdAt + indexingMillis

/** The order with this deposit address, if it can be looked up already. */
export const findOrder = (intents: Intents, address: string): IntentsOrder | undefined => {
  const order = intents.orders.get(address)
  return order !== undefined && isIndexed(intents, order) ? order : undefined
}

/** The address that a look-up shows: another one than the order's own, where it has the trap `changedAddress`. */
export const shownAddress = (
  { seed }: Intents,
  { address, number, origin, trap }: IntentsOrder,
): Address => trap === "changedAddress" ? depositAddress(`${seed}/changed`, chainOf(origin), number) : address

export const orderAt = (intents: Intents, address: string): IntentsOrder | undefined =>
  intents.orders.get(address)

/** The orders that take deposits or are under way, the oldest first. */
export const openOrders = (intents: Intents): ReadonlyArray<IntentsOrder> =>
  Array.from(intents.orders.values()).filter((order) => Ledger.isOpen(intents, order))

/** The fees of all orders that were paid out, to every account that has a row: 1Click's own is one of them. */
export const feesPaid = ({ orders }: Intents): ReadonlyArray<FeePaid> =>
  Array.from(orders.values()).flatMap(({ input, origin, payout, terms: { terms: { fees } } }) =>
    input === undefined || payout === undefined ? [] : fees.map(({ fee, recipient }) => ({
      account: recipient,
      asset: origin,
      amount: shareOf(input, fee),
    }))
  )
