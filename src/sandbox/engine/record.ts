import { Match } from "effect"
import type { Egress, SwapState } from "../../domain/Swap.ts"
import { chainOf } from "../../domain/Asset.ts"
import { stateChainBlockTime, stateChainHeight } from "./blocks.ts"
import { durationsOf, totalDuration } from "./durations.ts"
import {
  boostRecord,
  brokers,
  channelRecord,
  depositRecord,
  feesOf,
  fillOrKill,
  noProgress,
  progress,
} from "./recordParts.ts"
import { requiredConfirmations } from "./schedule.ts"
import type { Channel, Deposit, Network, Payment, SwapRequest, Terms } from "./State.ts"
import type { SwapView } from "./View.ts"

/** The payments that there are so far, by what a record calls them. */
interface Payments {
  readonly swap: Payment | undefined
  readonly refund: Payment | undefined
}

const noPayments: Payments = { swap: undefined, refund: undefined }

const paymentsOf = (deposit: Deposit | undefined): Payments =>
  deposit === undefined ? noPayments : Match.valueTags(deposit.fate, {
    Pending: () => noPayments,
    Credited: ({ request }) => ({ swap: request.swapPayment, refund: request.refundPayment }),
    Failed: ({ refund }) => ({ swap: undefined, refund }),
  })

const existing = ({ swap, refund }: Payments): ReadonlyArray<Egress> =>
  [swap, refund].flatMap((payment) => payment === undefined ? [] : [payment.egress])

const paymentState = (egresses: ReadonlyArray<Egress>): SwapState => {
  if (egresses.some(({ failure }) => failure !== undefined)) return "failed"
  if (egresses.every(({ witnessedAt }) => witnessedAt !== undefined)) return "completed"
  return egresses.every(({ transactionReference }) => transactionReference !== undefined) ? "sent" : "sending"
}

/** The state by the rules of chainflip/wire.md 3.6; with two payments, that of the one which is behind. */
const stateOf = (deposit: Deposit | undefined, payments: Payments): SwapState => {
  if (deposit === undefined) return "waiting"
  if (deposit.fate._tag === "Failed") return "failed"
  const egresses = existing(payments)
  if (egresses.length > 0) return paymentState(egresses)
  return deposit.fate._tag === "Credited" ? "swapping" : "receiving"
}

const requestOf = (deposit: Deposit | undefined): SwapRequest | undefined =>
  deposit?.fate._tag === "Credited" ? deposit.fate.request : undefined

const egressPart = ({ swap, refund }: Payments) => {
  const fallback = swap?.fallback ?? refund?.fallback
  return {
    ...(swap === undefined ? {} : { swapEgress: swap.egress }),
    ...(refund === undefined ? {} : { refundEgress: refund.egress }),
    ...(fallback === undefined ? {} : { fallbackEgress: fallback.egress }),
  }
}

const swapPart = (deposit: Deposit | undefined) => {
  const request = requestOf(deposit)
  if (request !== undefined) return { swapId: `${request.id}`, swap: progress(request) }
  return deposit?.fate._tag === "Failed" ? { swap: noProgress(deposit) } : {}
}

const termsPart = (network: Network, terms: Terms) => ({
  sourceAsset: terms.sourceAsset,
  destinationAsset: terms.destinationAsset,
  destinationAddress: terms.destinationAddress,
  sourceChainRequiredBlockConfirmations: requiredConfirmations(chainOf(terms.sourceAsset)),
  brokers: brokers(terms),
  fillOrKill: fillOrKill(terms),
  ...(terms.ccm === undefined ? {} : { ccm: terms.ccm }),
  ...(terms.dca === undefined ? {} : { dca: terms.dca }),
  lastStateChainUpdateAt: stateChainBlockTime(network, stateChainHeight(network)),
})

const record = (
  network: Network,
  terms: Terms,
  channel: Channel | undefined,
  deposit: Deposit | undefined,
): SwapView => {
  const request = requestOf(deposit)
  const payments = paymentsOf(deposit)
  const boost = boostRecord(terms, deposit?.boost)
  const durations = durationsOf({ ...terms, boosted: deposit?.boost?._tag === "Boosted" })
  return {
    state: stateOf(deposit, payments),
    ...termsPart(network, terms),
    ...(channel === undefined ? {} : { depositChannel: channelRecord(network, channel) }),
    ...(boost === undefined ? {} : { boost }),
    estimatedDurations: durations,
    estimatedDuration: totalDuration(durations),
    fees: request === undefined ? [] : feesOf(request),
    ...(deposit === undefined ? {} : { deposit: depositRecord(network, deposit) }),
    ...swapPart(deposit),
    ...egressPart(payments),
  }
}

/** The record of one deposit to a channel, or, without one, of a channel that waits (chainflip/wire.md 3.7, 3.9). */
export const recordOfChannel = (
  network: Network,
  channel: Channel,
  deposit: Deposit | undefined,
): SwapView => record(network, channel, channel, deposit)

/** The record of one deposit, to a channel or by a vault swap, which has no channel in it (chainflip/wire.md 3.9). */
export const recordOfDeposit = (network: Network, deposit: Deposit): SwapView =>
  record(network, deposit.terms, deposit.channel, deposit)
