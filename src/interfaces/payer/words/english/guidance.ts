import type { SwapPhase } from "#domain/swaps/Guidance.ts"
import type { PayerTold } from "#application/guidance/textValues.ts"
import { sharedPhrases } from "#application/guidance/words/phrases.ts"
import { phrasesOf, type TextFor } from "#application/guidance/words/sentences.ts"

/** What is told of the swap, who sent the payer here, and who helps. */
export type PayerValues = PayerTold & Readonly<Record<"merchant" | "helper" | "swapNumber", string>>

/** Phrases of several texts, and those that depend on a fact. */
export const phrases = phrasesOf<PayerValues>()({
  ...sharedPhrases,
  // What is told of the swap.
  payment: "your payment",
  expected: { by: "expectedAmount", true: "{expectedAmount}", false: "amount" },
  missing: { by: "missingAmount", true: "the missing {missingAmount}", false: "what is missing" },
  payout: { by: "payoutAmount", true: "{payoutAmount}", false: "the money" },
  refund: { by: "refundAmount", true: "{refundAmount}", false: "your payment" },
  fallback: { by: "fallbackAmount", true: "{fallbackAmount}", false: "the money" },
  another: "To swap again, {newSwap} Do not send to the old address again.",
  // What can be done.
  payOnce: "Do not pay again.",
  /** In small letters, as it can stand after a colon. */
  askHere: "contact {helper} and give swap ID {swapNumber}.",
  moneyBack: "{AskHere} This page shows a refund if there is one.",
  newSwap: "start a new swap in {merchant}.",
  usually: { by: "usualMinutes", true: " Such a swap usually takes {usualMinutes} min{taken}.", false: "" },
  usuallyBack: " A refund should take at most {payingMinutes} min{taken}.",
  taken: { by: "elapsed", true: "; this one has taken {elapsed} so far", false: "" },
  atLeast: {
    by: "leastAmount",
    true: " You will receive at least {leastAmount}, or a refund to your refund address.",
    false: "",
  },
  because: {
    by: "isPricedOut",
    true: ": at the market price you would have received less than the minimum of this swap",
    false: "",
  },
  unexplained: { by: "isPricedOut", true: "", false: " The reason is not known here." },
  eachTakes: { by: "blockMinutes", true: ", at about {blockMinutes} min a confirmation", false: "" },
  payAndWait: {
    by: "isAwaitedLong",
    true: "Paid, and nothing here after {payingMinutes} min? {AskHere} Have your transaction ID ready.",
    false: "",
  },
  lookUp: {
    by: "hasTransaction",
    true: "Check the transaction below in an explorer of its chain.",
    false: "",
  },
  lookPayment:
    `Check your transaction in an explorer of {sourceChain}. Its fee may be too low, or it may have been replaced.`,
  unlessPrice: "What cannot be swapped at the minimum price is refunded.",
  late: {
    by: "lateDeposit",
    swapped: "Late payments are still swapped.",
    refunded: "Late payments are refunded.",
    lost: "Late payments may be lost.",
    untold: "Late payments may be lost.",
  },
  sendRest: {
    by: "takesRest",
    true:
      "Send {missing}, once, to the address that you paid to. It must be in a block by {expiry}. Or wait: what is not swapped is refunded.",
    false: "Wait and send nothing more. What is not swapped is refunded.",
  },
  swappedPart: {
    by: "isPaidOut",
    true:
      `A part of your payment was swapped: {payout} was paid to the destination address. The rest was not,`,
    false: "Your payment was not swapped,",
  },
  givenBack: {
    by: "refundAmount",
    true: "{Refund} was refunded. The status of the rest is unknown.",
    false: "No refund is known. Amounts below the network fees are not refunded.",
  },
  returnedPart: { by: "isPaidBack", true: " The rest, {refund}, was refunded.", false: "" },
  /** What can be done while nothing is heard of a swap. */
  unheard: {
    by: "isSeen",
    true: "{payOnce} Your swap continues. This page updates when its status is known again.",
    false:
      `Do not pay for now. If you have paid, your swap continues. This page updates when its status is known again.`,
  },
})

/** What can be done of money that is stuck, and while a swap goes well. */
const stuck = "\n{moneyBack}\n{payOnce}"
const onItsWay = "\n{noAction}\n{unlessPrice}"

/** The texts, where they name nothing that payers are not told. A phase without a text does not compile. */
const textsOf = <const Texts extends Readonly<Record<SwapPhase, string>>>(
  texts: Texts & { readonly [Phase in keyof Texts]: TextFor<Texts[Phase], PayerValues, typeof phrases> },
): Texts => texts

/**
 * Where a swap stands in each phase, then what can be done, a line each. Nothing of these texts names the provider, the
 * operator, a channel or a transaction: who pays knows none of them.
 */
export const phases = textsOf({
  waiting_for_deposit: `Your payment appears here automatically.
      {payAndWait}`,
  waiting_for_exact_deposit: `Send exactly {exactAmount}, to the last digit. Any other amount is lost.
      {payAndWait}`,
  waiting_for_deposit_with_memo: `Send the payment with its memo. Without the memo the money is lost.
      {payAndWait}
      If you have paid without the memo: {askHere}`,
  channel_closing:
    `It is too late to pay. The address closes at {expiry}, and a payment sent now may not be in a block by then.
      Do not pay any more: {newSwap}
      If you have paid: wait. The payment shows here once it is seen.`,
  channel_expired: `No payment has been seen. If you sent nothing, nothing is lost.
      Do not send anything to this address any more. {late}
      Already paid? If your wallet shows a first confirmation before {expiry}, your payment will still appear here. If not: {askHere}`,
  provider_switched_off: `Payments to this address are paused. None has arrived.
      Do not pay until this page asks for the payment again. If you cannot wait: {newSwap}
      If you have paid: wait. Your payment will show here.`,
  network_halted: `Payments of {source} are paused. None has arrived.
      Do not pay until this page asks for the payment again. It could be held until then. If you cannot wait: {newSwap}
      If you have paid: wait. Your payment continues when they resume, and shows here.`,
  deposit_unnoticed: `{Payment} was seen, but is not accepted yet.
      Wait some minutes. {payOnce}
      If it does not: {askHere}`,
  deposit_seen: `{Payment} was seen, and {sourceChain} is confirming it. This is normal{eachTakes}.
      {noAction} {payOnce}`,
  deposit_late: `{Payment} was received, but its confirmation on {sourceChain} is slower than usual.
      {lookPayment}
      If your wallet can raise the fee of the transaction, do so. {payOnce}`,
  deposit_incomplete:
    `{Payment} was seen, which is less than the agreed {expected}. It may be too little to swap.
      {sendRest}`,
  deposit_confirmed: `{Payment} is confirmed. The swap starts soon.
      {noAction} {payOnce}`,
  deposit_waits_for_network: `{Payment} was received, but payments of {source} are paused.
      Wait. The swap continues when they resume. {payOnce}`,
  late_deposit_seen: `{Payment} was received after {expiry}, when the address had closed. {late}
      Wait. This page shows the result.
      {another}`,
  boost_pending: `{Payment} was seen, and may be swapped ahead of its confirmations.
      {noAction} {payOnce}`,
  boost_skipped: `{Payment} was seen, and is swapped once it is confirmed.
      {noAction} {payOnce}`,
  swapping: `{Payment} has arrived, and is being swapped to {destination}.${onItsWay}`,
  swapping_boosted:
    `{Payment} was accepted before its confirmations, and is being swapped to {destination}.${onItsWay}`,
  swap_late: `{Payment} is being swapped to {destination}, but slower than usual.
      Wait. It is either swapped or refunded.`,
  swap_paused: `{Payment} has arrived, but all swaps are paused for safety.
      Wait. The swap continues when they resume, and the minimum price still holds.`,
  swap_retrying: `{Payment} could not be swapped at the first try. Trying again.${onItsWay}`,
  swap_waits_for_network: `{Payment} has arrived, but payouts of {destination} are paused.
      Wait. The swap continues when they resume.`,
  waiting_for_price:
    `{Payment} is not swapped yet, because the market is below the minimum price. If that lasts {retryFor}, it is refunded.
      Wait. The swap continues when the market reaches the minimum price, which cannot be changed.`,
  waiting_for_liquidity:
    `{Payment} is not swapped yet, because it would move the price too far. If that lasts {retryFor}, it is refunded.
      Wait. This often takes only minutes.
      If it is refunded, swap a smaller amount.`,
  dca_starting:
    `{Payment} has arrived, and is being swapped to {destination} in {chunksAll} parts.${onItsWay}`,
  dca_between_chunks:
    `{chunksDone} of {chunksAll} parts were swapped to {destination}: {swapped}, and {remaining} to go. The money is paid out after the last one.${onItsWay}`,
  dca_waiting_for_price:
    `{chunksDone} of {chunksAll} parts were swapped. The next one waits for the minimum price. If that lasts {retryFor}, what was swapped is paid out and the other {remaining} are refunded.
      Wait. The minimum price cannot be changed.`,
  payout_scheduled: `The swap is done. The money will be sent to the destination address.
      {noAction}`,
  payout_sent: `The money was sent to the destination address. Confirmations are pending.
      {noAction}`,
  payout_late: `The swap is done, but sending the money takes longer than usual.
      Wait.
      {lookUp}`,
  refund_scheduled: `Your payment was not swapped{because}. It will be refunded.
      {noAction}`,
  refund_sent: `Your payment was not swapped{because}. The refund was sent. Confirmations are pending.
      {noAction}`,
  refund_late: `Your payment was not swapped{because}. The refund takes longer than usual.{usuallyBack}
      Wait.
      {lookUp}`,
  both_payments_under_way:
    `A part of your payment was swapped: {payout} is on its way to the destination address. The rest, {refund}, is being refunded.
      {noAction}`,
  fallback_under_way:
    `The money could not be sent to the destination address as planned. A fallback payout of {fallback} is on its way.
      Wait. Its transaction shows below, and tells where it went.`,
  completed: `The money was paid to the destination address.
      {another}`,
  completed_promised:
    `Completed: the money was paid to the destination address. The promised amount was {payout}; it may be less, down to the minimum price.
      Check what arrived in your wallet or an explorer.
      {another}`,
  refunded: `Your payment was not swapped. It was refunded.
      {another}`,
  refunded_for_price:
    `At the market price you would have received less than the minimum of this swap. Your payment was therefore refunded.
      {another}`,
  completed_rest_refunded:
    `Completed: exactly {payout} was paid to the destination address. The surplus, {refund}, was refunded.
      {another}`,
  refunded_partly: `A part was swapped and paid out. The rest was refunded{because}.{unexplained}
      {another}`,
  late_deposit_refunded:
    `Your payment arrived after {expiry}, when the address had closed. It was not swapped, but refunded.
      Next time, pay soon after you get the new address.
      {another}`,
  deposit_too_small:
    `{Payment} is too small to swap. The network keeps it and does not refund it automatically.
      We do not know whether it can be returned: {askHere}
      Do not send more. A second payment does not top up the first.`,
  deposit_below_fees: `{Payment} does not cover the network fees. Nothing is paid out or refunded.${stuck}`,
  deposit_ignored: `{Payment} was not accepted, and was not swapped.${stuck}`,
  deposit_rejected: `{Payment} was not swapped. {givenBack}${stuck}`,
  deposit_rejected_refunded: `{Payment} was not accepted. It was refunded.
      Next time, pay from another wallet. The sender is the usual reason.
      {another}`,
  deposit_under_review:
    `{Payment} is held: an address of the swap was flagged, and is being reviewed.${stuck}`,
  refund_unproven: `Your payment was not swapped. It was reported as refunded, but the amount is unknown.
      Check what arrived at the refund address in your wallet or an explorer.
      If it is too little: {askHere}`,
  refund_too_small: `{swappedPart} and what is left after fees is too little to refund.${stuck}`,
  refund_failed: `{swappedPart} and the refund of {refund} failed.${stuck}`,
  payout_too_small:
    `Your payment was swapped, but {payout} is too little to be sent to the destination address: the network keeps it.{returnedPart}${stuck}`,
  payout_failed:
    `Your payment was swapped, but sending {payout} to the destination address failed.{returnedPart}${stuck}`,
  payout_callable:
    `Your payment was swapped, but sending {payout} to the destination address was prepared and not carried out.
      It can still be sent: {askHere}
      {payOnce}`,
  fallback_paid:
    `The money could not be sent to the destination address as planned. A fallback payout of {fallback} was made.
      Its transaction below tells where it went.
      If it is not yours: {askHere}
      {another}`,
  fallback_failed: `{Fallback} could not be sent, neither as planned nor as a fallback payout.${stuck}`,
  failed_unexplained: `The swap failed. The reason is unknown.${stuck}`,
  deposit_stalled: `{Payment} was seen, but is taking much longer than usual to confirm.{usually}
      {lookPayment}
      {payOnce} {AskHere}`,
  swap_stalled:
    `{Payment} has arrived, but the swap to {destination} is taking much longer than usual.{usually}{atLeast}
      {payOnce} {AskHere}`,
  payout_stalled: `The swap is done, but sending the money is taking much longer than usual.{usually}
      {lookUp}
      {payOnce} {AskHere}`,
  refund_stalled:
    `Your payment was not swapped{because}. The refund is taking much longer than usual.{usuallyBack}
      {lookUp}
      {payOnce} {AskHere}`,
  provider_contradicts:
    `The latest status contradicts earlier ones or what was agreed. Showing the last consistent status.
      Do not send anything for now.
      If you have paid: {askHere}`,
  provider_not_followed: `Status checks are paused. This page may be out of date.
      {unheard}`,
  provider_silent: `We can't reach the network right now. This page may be out of date.
      {unheard}
      If this lasts: {askHere}`,
})
