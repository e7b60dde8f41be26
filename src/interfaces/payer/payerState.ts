import type { SwapPhase } from "#domain/swaps/Guidance.ts"
import type { Tone } from "../pages/parts.tsx"

/** How far a swap is, by the word of its badge. */
export type PayerState =
  | "waiting"
  | "stop"
  | "expired"
  | "seen"
  | "confirming"
  | "swapping"
  | "delayed"
  | "sending"
  | "returning"
  | "done"
  | "refunded"
  | "partly"
  | "failed"

export const tones: Readonly<Record<PayerState, Tone>> = {
  waiting: "info",
  stop: "bad",
  expired: "bad",
  seen: "info",
  confirming: "info",
  swapping: "info",
  delayed: "warn",
  sending: "info",
  returning: "warn",
  done: "good",
  refunded: "info",
  partly: "info",
  failed: "bad",
}

/** A payment that was seen is under way, whatever is not known of it; before, nobody should pay. */
const unheard = { seen: "delayed", unseen: "stop" } as const

const states: Readonly<
  Record<SwapPhase, PayerState | { readonly seen: PayerState; readonly unseen: PayerState }>
> = {
  waiting_for_deposit: "waiting",
  waiting_for_exact_deposit: "waiting",
  waiting_for_deposit_with_memo: "waiting",
  channel_closing: "stop",
  channel_expired: "expired",
  provider_switched_off: "stop",
  network_halted: "stop",
  deposit_unnoticed: "seen",
  deposit_seen: "confirming",
  deposit_late: "delayed",
  deposit_incomplete: "seen",
  deposit_confirmed: "seen",
  deposit_waits_for_network: "delayed",
  late_deposit_seen: "seen",
  boost_pending: "seen",
  boost_skipped: "seen",
  swapping: "swapping",
  swapping_boosted: "swapping",
  swap_late: "delayed",
  swap_paused: "delayed",
  swap_retrying: "swapping",
  swap_waits_for_network: "delayed",
  waiting_for_price: "delayed",
  waiting_for_liquidity: "delayed",
  dca_starting: "swapping",
  dca_between_chunks: "swapping",
  dca_waiting_for_price: "delayed",
  payout_scheduled: "sending",
  payout_sent: "sending",
  payout_late: "delayed",
  refund_scheduled: "returning",
  refund_sent: "returning",
  refund_late: "delayed",
  both_payments_under_way: "sending",
  fallback_under_way: "delayed",
  completed: "done",
  completed_promised: "done",
  refunded: "refunded",
  refunded_for_price: "refunded",
  completed_rest_refunded: "done",
  refunded_partly: "partly",
  late_deposit_refunded: "refunded",
  deposit_too_small: "failed",
  deposit_below_fees: "failed",
  deposit_ignored: "failed",
  deposit_rejected: "failed",
  deposit_rejected_refunded: "refunded",
  deposit_under_review: "failed",
  refund_unproven: "failed",
  refund_too_small: "failed",
  refund_failed: "failed",
  payout_too_small: "failed",
  payout_failed: "failed",
  payout_callable: "failed",
  fallback_paid: "done",
  fallback_failed: "failed",
  failed_unexplained: "failed",
  deposit_stalled: "delayed",
  swap_stalled: "delayed",
  payout_stalled: "delayed",
  refund_stalled: "delayed",
  provider_contradicts: unheard,
  provider_not_followed: unheard,
  provider_silent: unheard,
}

/** The state of a phase, by whether the payment was seen. */
export const stateOf = (phase: SwapPhase, isSeen: boolean): PayerState => {
  const state = states[phase]
  return typeof state === "string" ? state : isSeen ? state.seen : state.unseen
}
