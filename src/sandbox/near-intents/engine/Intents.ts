import { Result } from "effect"
import type { Address } from "#domain/chains/Address.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { noAmount } from "#domain/money/Amount.ts"
import { shareOf } from "#domain/money/Bps.ts"
import type { Deposit } from "../../engine/Command.ts"
import { depositAddress } from "../../engine/identifiers.ts"
import * as Ledger from "../../engine/ledger.ts"
import type { DepositRefusal } from "../../engine/Refusal.ts"
import { send } from "../../engine/sideNetworks.ts"
import type { Network } from "../../engine/State.ts"
import type { DepositSent, FeePaid } from "../../engine/View.ts"
import type { OpenOrder, SubmitDeposit } from "./Command.ts"
import { intentsRules } from "./rules.ts"
import type { Intents, IntentsOrder, RequestRefusal, UnknownOrder } from "./State.ts"
import { quote } from "./terms.ts"

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

/** Takes a client's report of its transaction. */
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

/** The order with this deposit address, even if it cannot be looked up yet. */
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
