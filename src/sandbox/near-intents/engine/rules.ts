import type { OrderTrap } from "#api/SandboxCommands.ts"
import { isSent } from "#domain/quotes/ExactOutput.ts"
import type { Outcome, Rules } from "../../engine/ledger.ts"
import { valueOf } from "../../engine/pools.ts"
import { pricesOf } from "../../engine/sideNetworks.ts"
import type { Network } from "../../engine/State.ts"
import { maximumValue, processingMillis } from "./offer.ts"
import type { IntentsOrder, Quoted } from "./State.ts"

/** What 1Click does with its orders (near-intents/wire.md 1, fees and states). */

const smaller = (one: bigint, other: bigint): bigint => one < other ? one : other

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
const ofOutput = (
  network: Network,
  { terms: { offer, terms } }: IntentsOrder,
  deposited: bigint,
): Outcome => {
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

export const intentsRules = (network: Network): Rules<Quoted, OrderTrap> => ({
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
