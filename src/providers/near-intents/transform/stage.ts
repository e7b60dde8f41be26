import type { SwapState } from "../../../domain/Swap.ts"
import { upstreamText } from "../../upstream/upstreamText.ts"
import type { OrderFacts, StatusContext } from "./orderFacts.ts"

/** How far a swap is: what happens to the money next decides which parts of the record there are. */
export interface Stage {
  readonly state: SwapState
  /** `none`: nothing is being swapped yet; `payout` and `refund`: where the money goes; `lost`: it stays. */
  readonly course: "none" | "payout" | "refund" | "lost"
  readonly notices: ReadonlyArray<string>
}

type Read = (order: OrderFacts, context: StatusContext) => Stage

const stage = (state: SwapState, course: Stage["course"], notice?: string): Stage => ({
  state,
  course,
  notices: notice === undefined ? [] : [notice],
})

/** A deposit can be confirmed and still not be taken note of (near-intents/wire.md 2): somebody has to ask. */
const waiting: Read = (order, { now }) => {
  const overdue = order.hasDeposit && order.estimate !== undefined && now > order.updatedAt + order.estimate
  return stage(
    "waiting",
    "none",
    overdue ? "A deposit was seen, but 1Click still waits for it past its own estimate" : undefined,
  )
}

/**
 * An output that is known is on its way out, and sent once it has a transaction. Intents and transactions on
 * NEAR prove neither: there are some from the deposit on.
 */
const processing: Read = ({ payoutTransaction, amountOut }) => {
  if (payoutTransaction !== undefined) return stage("sent", "payout")
  return stage(amountOut === undefined ? "swapping" : "sending", "payout")
}

/** Money has arrived only where an amount and a transaction prove it; a refund is called success, too. */
const success: Read = ({ amountOut, payoutTransaction, refundedAmount }) => {
  if (amountOut !== undefined && payoutTransaction !== undefined) return stage("completed", "payout")
  if (amountOut === undefined && refundedAmount !== undefined) {
    return stage("completed", "refund", "1Click calls a refund SUCCESS; it is kept as a refund")
  }
  return stage(
    "sending",
    "payout",
    "1Click says SUCCESS without an amount and a transaction; not completed yet",
  )
}

const refunded: Read = ({ refundedAmount }) =>
  refundedAmount === undefined
    ? stage("failed", "lost", "1Click says REFUNDED without an amount; kept as failed")
    : stage("completed", "refund")

/** The states of the upstream (near-intents/wire.md 1, decision 23). */
const stages: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["PENDING_DEPOSIT", waiting],
  ["KNOWN_DEPOSIT_TX", () => stage("receiving", "none")],
  ["INCOMPLETE_DEPOSIT", () => stage("receiving", "none")],
  ["PROCESSING", processing],
  ["SUCCESS", success],
  ["REFUNDED", refunded],
  ["FAILED", () => stage("failed", "lost")],
])

/** The stage of an order; none for a state that is not known, with a notice that says so. */
export const readStage = (
  order: OrderFacts,
  context: StatusContext,
): Stage | { readonly unknown: string } => {
  const read = stages.get(order.status)
  return read === undefined
    ? { unknown: `Kept the state ${context.known.state}: ${upstreamText(order.status)} is unknown` }
    : read(order, context)
}
