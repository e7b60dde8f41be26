import { isSettled, type SwapStatus } from "../domain/Swap.ts"
import type { Tone } from "../pages/parts.ts"

/** How far a swap is, for who pays. */
export type Phase =
  | "waiting"
  | "expired"
  | "receiving"
  | "swapping"
  | "sending"
  | "done"
  | "refunded"
  | "failed"

/** The phase of a swap; `isExpired`: its channel takes no more deposits. */
export const phaseOf = (status: SwapStatus, isExpired: boolean): Phase => {
  const { refundEgress, state, swapEgress } = status
  if (state === "failed") return "failed"
  if (isSettled(status)) return refundEgress !== undefined && swapEgress === undefined ? "refunded" : "done"
  if (state === "waiting" && status.deposit === undefined) return isExpired ? "expired" : "waiting"
  if (state === "waiting" || state === "receiving") return "receiving"
  return state === "swapping" ? "swapping" : "sending"
}

interface Words {
  readonly tone: Tone
  /** The phase in a few words. */
  readonly state: string
  readonly text: string
}

/** What is said in each phase. */
export const words: Readonly<Record<Phase, Words>> = {
  waiting: {
    tone: "info",
    state: "waiting for the payment",
    text:
      "Send the payment as it stands below. This page tells when it is seen: that takes as long as its chain does.",
  },
  expired: {
    tone: "bad",
    state: "expired",
    text:
      "No payment came in time. Do not send anything to this address any more: ask for a new one where you got " +
      "this page. If you did pay before, the payment can still show up here.",
  },
  receiving: {
    tone: "info",
    state: "payment seen",
    text:
      "The payment is on its chain and waits for its confirmations. Nothing is to be done; do not pay again.",
  },
  swapping: {
    tone: "info",
    state: "swapping",
    text:
      "The payment has arrived and is being swapped. What cannot be swapped at the agreed price goes back to the " +
      "refund address.",
  },
  sending: {
    tone: "info",
    state: "on its way",
    text: "The swap is done, and the money is on its way to the destination address.",
  },
  done: { tone: "good", state: "done", text: "The money was paid out. Nothing is left to be done." },
  refunded: {
    tone: "warn",
    state: "refunded",
    text:
      "The payment was not swapped and went back to the refund address. For another try ask for a new address.",
  },
  failed: {
    tone: "bad",
    state: "failed",
    text:
      "The swap did not go through. If money goes back, it shows here. Do not pay again; ask where you got this " +
      "page, and name the transaction of your payment.",
  },
}
