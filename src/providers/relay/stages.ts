import { upstreamText } from "../upstream/failures.ts"
import { type Stage, stage } from "../upstream/orderRecord.ts"
import type { RelayOrder } from "./requests.ts"

type Read = (order: RelayOrder) => Stage

const sending: Read = ({ payoutTransaction }) =>
  stage(payoutTransaction === undefined ? "sending" : "sent", "payout")

/** Money has arrived only where an amount and a transaction prove it. */
const success: Read = (order) =>
  order.amountOut !== undefined && order.payoutTransaction !== undefined ? stage("completed", "payout") : {
    ...sending(order),
    notices: ["Relay says success without an amount and a transaction; not completed yet"],
  }

/** A refund without its amount could be of any deposit: the record then says in words where the money is. */
const refund: Read = ({ refundFailReason, refundTransaction, refundedAmount }) => {
  if (refundedAmount !== undefined) return stage("completed", "refund")
  return refundTransaction === undefined && refundFailReason !== undefined
    ? stage("failed", "lost")
    : stage("failed", "lost", "Relay says refund without an amount; kept as failed")
}

/** The states of the upstream (relay/wire.md 1, decision 23). */
const stages: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["waiting", () => stage("waiting", "none")],
  ["depositing", () => stage("receiving", "none")],
  ["pending", () => stage("receiving", "none")],
  ["submitted", sending],
  ["delayed", sending],
  ["success", success],
  ["refund", refund],
  ["failure", () => stage("failed", "lost")],
])

/** The stage of a request; undefined for a state that is not known. */
export const readStage = (order: RelayOrder): Stage | undefined => stages.get(order.status)?.(order)

/** What a failure is said to be; undefined where the upstream's own reason is enough. */
export const explanationOf = (
  { failReason, refundFailReason, refundTransaction, status }: RelayOrder,
): string | undefined => {
  if (failReason === "BLOCKED_WALLET") {
    return "The provider holds the deposit: it has flagged an address of the swap, and reviews it"
  }
  if (refundFailReason !== undefined && refundTransaction === undefined) {
    return `The provider could not send the deposit back: ${upstreamText(refundFailReason)}`
  }
  if (status !== "refund") return undefined
  const where = refundTransaction === undefined ? "" : ` in ${upstreamText(refundTransaction)}`
  return `The provider has sent the deposit back${where}, without saying how much of it`
}
