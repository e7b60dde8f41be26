import { Equal } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Fee } from "#domain/money/Fee.ts"
import type { ChangeKind } from "#domain/swaps/Journal.ts"
import { type Egress, isOver, resultOf, type SwapStatus } from "#domain/swaps/Swap.ts"
import { arrived } from "./describeSwap.tsx"

/** What a change of status was, by the money that moved. */
export type MoneyEvent = keyof typeof eventTitles

/** The titles in the timeline; `confirmed` and `updated` have more to say. */
export const eventTitles = {
  opened: "Channel opened",
  found: "Found by its transaction",
  imported: "Recorded before timelines began",
  expired: "Channel expired",
  waiting: "Waiting for the deposit",
  receiving: "Deposit seen",
  confirmed: "Confirmations",
  swapping: "Deposit credited, swapping",
  payoutScheduled: "Payout scheduled",
  refundScheduled: "Refund scheduled",
  bothScheduled: "Payout and refund scheduled",
  payoutSent: "Payout sent",
  refundSent: "Refund sent",
  bothSent: "Payout and refund sent",
  completed: "Paid out",
  refunded: "Refunded",
  partlyRefunded: "Partly refunded",
  failed: "Failed",
  updated: "Status updated",
} as const

type Payments = Pick<SwapStatus, "refundEgress" | "swapEgress">

/** Which payment a step is of. A step without either is of the payout to come. */
const byMoney = (
  { refundEgress, swapEgress }: { readonly [Name in keyof Payments]: unknown },
  step: "Scheduled" | "Sent",
): MoneyEvent => {
  if (refundEgress === undefined) return `payout${step}`
  return swapEgress === undefined ? `refund${step}` : `both${step}`
}

const entered = (status: SwapStatus): MoneyEvent => {
  if (status.state === "sending") return byMoney(status, "Scheduled")
  if (status.state === "sent") return byMoney(status, "Sent")
  return resultOf(status) ?? status.state
}

/** The payments that a change brought something of; undefined where it brought nothing of either. */
const newIn = (
  status: SwapStatus,
  before: SwapStatus,
  of: (payment: Egress | undefined) => unknown,
): { readonly [Name in keyof Payments]: unknown } | undefined => {
  const one = (name: keyof Payments) => of(status[name]) === of(before[name]) ? undefined : of(status[name])
  const found = { refundEgress: one("refundEgress"), swapEgress: one("swapEgress") }
  return found.refundEgress === undefined && found.swapEgress === undefined ? undefined : found
}

/** What is new in a status. `before`: the one that was known until then. */
export const eventOf = (
  kind: ChangeKind,
  status: SwapStatus,
  before: SwapStatus | undefined,
): MoneyEvent => {
  if (kind !== "changed") return kind
  if (before?.state !== status.state || resultOf(before) !== resultOf(status)) return entered(status)
  const confirmations = status.deposit?.transactionConfirmations
  if (confirmations !== undefined && confirmations !== before.deposit?.transactionConfirmations) {
    return "confirmed"
  }
  const sent = newIn(status, before, (payment) => payment?.transactionReference)
  if (sent !== undefined) return byMoney(sent, "Sent")
  const scheduled = newIn(status, before, (payment) => payment?.amount)
  return scheduled === undefined ? "updated" : byMoney(scheduled, "Scheduled")
}

/** What the parts of a status are called in "Status updated: …"; the time of the upstream's last look is no news. */
const partNames: { readonly [Part in keyof SwapStatus]?: string } = {
  swapId: "provider’s swap ID",
  depositChannel: "deposit channel",
  boost: "boost",
  estimatedDuration: "estimated duration",
  sourceChainRequiredBlockConfirmations: "required confirmations",
  fees: "fees",
  brokers: "commission",
  deposit: "deposit",
  swap: "progress",
  swapEgress: "payout",
  refundEgress: "refund",
  fallbackEgress: "fallback payout",
  ccm: "message",
  fillOrKill: "minimum price",
  dca: "DCA",
}

/** The parts of a status that changed, in words. */
export const changedParts = (status: SwapStatus, before: SwapStatus): ReadonlyArray<string> => {
  const old = new Map<string, unknown>(Object.entries(before))
  const now = new Map<string, unknown>(Object.entries(status))
  return Object.entries(partNames).flatMap(([part, name]) =>
    Equal.equals(now.get(part), old.get(part)) ? [] : [name]
  )
}

/** What a fee was taken for. The fee of a payment is the refund's where nothing else was paid. */
export const feeKind = (
  { type }: Fee,
  { refundEgress, swapEgress }: Payments,
): Fee["type"] =>
  type === "egress" && swapEgress === undefined && refundEgress !== undefined ? "refund" : type

/** What the money comes to: each payment before and after it arrived, or nothing. */
export type MoneyEnd =
  | {
    readonly _tag: "Payout" | "Refund" | "Fallback"
    readonly asset: AssetId
    readonly amount: bigint
    readonly hasArrived: boolean
  }
  | { readonly _tag: "Nothing" }

/** Whether a payment has arrived: it was witnessed, or nothing of the swap is under way any more. */
export const hasArrived = (status: SwapStatus, payment: Egress): boolean =>
  payment.witnessedAt !== undefined || isOver(status)

/** The payment that the swap ends with: its payout, the refund where nothing else is paid, or the fallback payout. */
export const moneyEnd = (status: SwapStatus): MoneyEnd => {
  const { destinationAsset, sourceAsset } = status
  const [payout, refund, fallback] = [status.swapEgress, status.refundEgress, status.fallbackEgress].map(
    arrived,
  )
  const end = (_tag: "Payout" | "Refund" | "Fallback", asset: AssetId, payment: Egress): MoneyEnd => ({
    _tag,
    asset,
    amount: payment.amount,
    hasArrived: hasArrived(status, payment),
  })
  if (payout !== undefined) return end("Payout", destinationAsset, payout)
  if (refund !== undefined) return end("Refund", sourceAsset, refund)
  return fallback === undefined ? { _tag: "Nothing" } : end("Fallback", destinationAsset, fallback)
}

/** What a payment at the end is called once it has arrived, and before. */
export const endWords = {
  Payout: ["Paid out", "To be paid out"],
  Refund: ["Refunded", "To be refunded"],
  Fallback: ["Fallback payout", "Fallback payout to come"],
} as const
