import { Equal } from "effect"
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

/** A step of the payments that it is of. One of neither is of the payout to come. */
const stepOf = (step: "Scheduled" | "Sent", isPayout: boolean, isRefund: boolean): MoneyEvent =>
  !isRefund ? `payout${step}` : isPayout ? `both${step}` : `refund${step}`

const entered = (status: SwapStatus): MoneyEvent => {
  const { refundEgress, state, swapEgress } = status
  if (state !== "sending" && state !== "sent") return resultOf(status) ?? state
  const step = state === "sent" ? "Sent" : "Scheduled"
  return stepOf(step, swapEgress !== undefined, refundEgress !== undefined)
}

/** What is new in a status. `before`: the one that was known until then. */
export const eventOf = (kind: ChangeKind, status: SwapStatus, before?: SwapStatus): MoneyEvent => {
  if (kind !== "changed") return kind
  if (before?.state !== status.state || resultOf(before) !== resultOf(status)) return entered(status)
  const confirmations = status.deposit?.transactionConfirmations
  if (confirmations !== undefined && confirmations !== before.deposit?.transactionConfirmations) {
    return "confirmed"
  }
  const isNew = (payment: "refundEgress" | "swapEgress", part: "transactionReference" | "amount") =>
    status[payment]?.[part] !== undefined && status[payment][part] !== before[payment]?.[part]
  for (const [part, step] of [["transactionReference", "Sent"], ["amount", "Scheduled"]] as const) {
    const [isPayout, isRefund] = [isNew("swapEgress", part), isNew("refundEgress", part)]
    if (isPayout || isRefund) return stepOf(step, isPayout, isRefund)
  }
  return "updated"
}

/** What the parts of a status are called in "Status updated: …"; the time of the upstream's last look is no news. */
const partNames: { readonly [Part in keyof SwapStatus]?: string } = {
  swapId: "provider’s swap ID",
  depositChannel: "channel details",
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
export const feeKind = ({ type }: Fee, { refundEgress, swapEgress }: SwapStatus): Fee["type"] =>
  type === "egress" && swapEgress === undefined && refundEgress !== undefined ? "refund" : type

/** Whether a payment has arrived: it was witnessed, or nothing of the swap is under way any more. */
export const hasArrived = (status: SwapStatus, payment: Egress): boolean =>
  payment.witnessedAt !== undefined || isOver(status)

/** The payment that the swap ends with, or will: its payout, the refund where nothing else is paid, or the fallback payout. */
export const moneyEnd = (status: SwapStatus) => {
  const { destinationAsset, fallbackEgress, refundEgress, sourceAsset, swapEgress } = status
  const ends = [
    [swapEgress, destinationAsset, "Paid out", "To be paid out"],
    [refundEgress, sourceAsset, "Refunded", "To be refunded"],
    [fallbackEgress, destinationAsset, "Fallback payout", "Fallback payout to come"],
  ] as const
  const [end] = ends.flatMap(([payment, asset, done, toCome]) => {
    const paid = arrived(payment)
    if (paid === undefined) return []
    return [{ label: hasArrived(status, paid) ? done : toCome, asset, amount: paid.amount }]
  })
  return end
}
