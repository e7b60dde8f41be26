import { Schema } from "effect"
import { WhomToAsk } from "../operations/Contact.ts"
import { optional } from "../optional.ts"
import { EpochMillis } from "../Time.ts"

/** Where a swap that is being opened stands; only its case file tells. */
const openingPhases = ["opening_requested", "opening_unknown", "opening_refused"] as const

/** The phases before a deposit was seen. */
const waitingPhases = [
  "waiting_for_deposit",
  "waiting_for_exact_deposit",
  "waiting_for_deposit_with_memo",
  "channel_closing",
  "channel_expired",
  "provider_switched_off",
  "network_halted",
] as const

/** The phases before the deposit has become a swap. */
const depositPhases = [
  "deposit_unnoticed",
  "deposit_seen",
  "deposit_late",
  "deposit_incomplete",
  "deposit_confirmed",
  "deposit_waits_for_network",
  "late_deposit_seen",
  "boost_pending",
  "boost_skipped",
  "transaction_unknown",
] as const

/** The phases of swapping and paying out. */
const movingPhases = [
  "swapping",
  "swapping_boosted",
  "swap_late",
  "swap_paused",
  "swap_retrying",
  "swap_waits_for_network",
  "waiting_for_price",
  "waiting_for_liquidity",
  "dca_starting",
  "dca_between_chunks",
  "dca_waiting_for_price",
  "payout_scheduled",
  "payout_sent",
  "payout_late",
  "refund_scheduled",
  "refund_sent",
  "refund_late",
  "both_payments_under_way",
  "fallback_under_way",
] as const

/** The phases in which the money has arrived or gone back, and nothing more is under way. */
const endPhases = [
  "completed",
  "completed_promised",
  "refunded",
  "refunded_for_price",
  "completed_rest_refunded",
  "refunded_partly",
  "late_deposit_refunded",
] as const

/** The phases in which nothing more is under way, though the money is not where it should be, or a deposit was refused. */
const failedPhases = [
  "deposit_too_small",
  "deposit_below_fees",
  "deposit_ignored",
  "deposit_rejected",
  "deposit_rejected_refunded",
  "deposit_under_review",
  "refund_unproven",
  "refund_too_small",
  "refund_failed",
  "payout_too_small",
  "payout_failed",
  "payout_callable",
  "fallback_paid",
  "fallback_failed",
  "failed_unexplained",
] as const

/** The phases in which a swap does not go on as it should, or nothing new is known of it. */
const troublePhases = [
  "stalled",
  "deposit_stalled",
  "swap_stalled",
  "payout_stalled",
  "refund_stalled",
  "provider_contradicts",
  "provider_not_followed",
  "provider_silent",
] as const

/** Every form that a swap can take, for people. Names never change; more can be added. */
export const GuidancePhase = Schema.Literals([
  ...openingPhases,
  ...waitingPhases,
  ...depositPhases,
  ...movingPhases,
  ...endPhases,
  ...failedPhases,
  ...troublePhases,
])
export type GuidancePhase = typeof GuidancePhase.Type

/** The phases without a swap on record: of an opening, of a transaction that is not known, of an entry of a journal. */
export type RecordlessPhase = typeof openingPhases[number] | "transaction_unknown" | "stalled"

export type SwapPhase = Exclude<GuidancePhase, RecordlessPhase>

const ends: ReadonlySet<GuidancePhase> = new Set<GuidancePhase>([...endPhases, ...failedPhases])

/** Whether nothing more is under way in a phase, so that only the record itself decides what is said of it. */
export const isEnd = (phase: GuidancePhase): boolean => ends.has(phase)

const asking: ReadonlySet<GuidancePhase> = new Set<GuidancePhase>([
  "waiting_for_deposit",
  "waiting_for_exact_deposit",
  "waiting_for_deposit_with_memo",
])

/** Whether a payer is asked for the payment in a phase. In every other nobody should pay, or pay again. */
export const asksForPayment = (phase: GuidancePhase): boolean => asking.has(phase)

const unheard: ReadonlySet<GuidancePhase> = new Set<GuidancePhase>([
  "provider_contradicts",
  "provider_not_followed",
  "provider_silent",
])

/** Whether it is known at present how far a swap is: otherwise a deposit may have come that nobody has seen. */
export const hasFreshStatus = (phase: GuidancePhase): boolean => !unheard.has(phase)

const wrong: ReadonlySet<GuidancePhase> = new Set<GuidancePhase>([
  ...troublePhases,
  "opening_unknown",
  "opening_refused",
  "provider_switched_off",
  "network_halted",
  "deposit_late",
  "deposit_incomplete",
  "deposit_unnoticed",
  "deposit_waits_for_network",
  "late_deposit_seen",
  "swap_late",
  "swap_paused",
  "swap_waits_for_network",
  "payout_late",
  "refund_late",
  "fallback_under_way",
  ...endPhases.filter((phase) => !phase.startsWith("completed") && phase !== "late_deposit_refunded"),
  ...failedPhases,
])

/** Whether a phase is none of a swap that goes well. */
export const isWrong = (phase: GuidancePhase): boolean => wrong.has(phase)

/** Where a swap stands, in words for whoever asks about it. */
export const Guidance = Schema.Struct({
  phase: GuidancePhase.annotate({
    description: "Form that the swap has now, for programs. Names never change; more can be added.",
  }),
  since: EpochMillis.annotate({ description: "When the phase began, as far as the record tells." }),
  expectedBy: Schema.optionalKey(EpochMillis.annotate({
    description:
      "By when the phase should be over, by the record's own times and estimates; absent at the end, and where " +
      "it is overdue.",
  })),
  text: Schema.String.annotate({
    description: "Status of the swap, in words that can be shown to the payer.",
  }),
  whatYouCanDo: Schema.Array(Schema.String).annotate({
    description: "Advice, a sentence or two each, the most useful first. Empty where no action is needed.",
  }),
  whomToAsk: optional(WhomToAsk.annotate({
    description: "Contacts for a swap with a problem; absent while it goes well, and in journal entries.",
  })),
}).annotate({ identifier: "Guidance" })
export type Guidance = typeof Guidance.Type
