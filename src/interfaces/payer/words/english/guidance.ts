import type { SwapPhase } from "#domain/swaps/Guidance.ts"
import type { PayerTold } from "#application/guidance/textValues.ts"
import { phrasesOf, type TextFor } from "#application/guidance/words/renderGuidance.ts"

/** Phrases of several texts, and those that depend on a fact. */
export const phrases = phrasesOf<PayerTold>()({
  // What is told of the swap.
  source: "{sourceTicker} on {sourceChain}",
  destination: "{destinationTicker} on {destinationChain}",
  payment: { by: "isAmountKnown", true: "your payment of {deposited}", false: "your payment" },
  expected: { by: "isExpectedKnown", true: "{expectedAmount}", false: "what was named" },
  missing: { by: "isMissingKnown", true: "the missing {missingAmount}", false: "what is missing" },
  payout: { by: "isPayoutKnown", true: "{payoutAmount}", false: "the money" },
  refund: { by: "isRefundKnown", true: "{refundAmount}", false: "your payment" },
  fallback: { by: "isFallbackKnown", true: "{fallbackAmount}", false: "the money" },
  swapped: { by: "isProgressKnown", true: "{swappedAmount}", false: "a part" },
  remaining: { by: "isProgressKnown", true: "{remainingAmount}", false: "the rest" },
  confirmed: {
    by: "confirmations",
    none: "how many is not told",
    wanted: "{confirmationsWanted} are needed",
    seen: "{confirmationsSeen} so far",
    both: "{confirmationsSeen} of {confirmationsWanted}",
  },
  retryFor: {
    by: "retryUnit",
    minute: "{retryNumber} minute",
    minutes: "{retryNumber} minutes",
    hours: "{retryNumber} hours",
  },
  another: {
    by: "hasChannel",
    true: "For another swap ask for a new address where you got this page: do not send to the old one again.",
    false: "For another swap ask for a new transaction where you got this page: do not send this one again.",
  },
  // What can be done.
  goesOn: "Nothing has to be done: it goes on by itself.",
  payOnce: "Do not pay again.",
  /** In small letters, as it can stand after a colon. */
  askHere: "ask where you got this page, and name the transaction of your payment.",
  moneyBack: "{AskHere} If money goes back it shows here by itself.",
  newAddress: "ask for a new address where you got this page.",
  compareAddresses:
    `Before you pay, compare the addresses that the money goes to with your own: nobody can change them afterwards.`,
  payAndWait:
    `Pay once. If you have paid: wait. If nothing shows here for long, look your transaction up in an explorer of {sourceChain}: network, asset, amount and address must be those of this page. If they are not, or nothing changes: {askHere}`,
  lookUp: "If a transaction is shown here, look it up in an explorer of its chain.",
  lookPayment:
    `Look your transaction up in an explorer of {sourceChain}: it may pay too low a fee, or have been replaced.`,
  unlessPrice: "What cannot be swapped at the agreed price goes back to the refund address.",
  late: {
    by: "lateDeposit",
    swapped: "A payment that comes now is still swapped.",
    refunded: "A payment that comes now goes back to the refund address.",
    lost: "A payment that comes now is lost.",
    untold: "A payment that comes now may be lost.",
  },
  soLate: {
    by: "lateDeposit",
    swapped: "A payment that comes so late is still swapped.",
    refunded: "A payment that comes so late goes back to the refund address.",
    lost: "A payment that comes so late is lost.",
    untold: "A payment that comes so late may be lost.",
  },
  sendRest: {
    by: "takesRest",
    true: "Send {missing}, once, to the address that you paid to. It has to be in a block before {expiry}.",
    false: "Wait, and send nothing more: what is not swapped goes back to the refund address.",
  },
  orWait: {
    by: "takesRest",
    true: "Or wait: what is not swapped goes back to the refund address.",
    false: "",
  },
  swappedPart: {
    by: "isPaidOut",
    true:
      `A part of your payment was swapped: {payout} was paid to the destination address. The rest was not,`,
    false: "Your payment was not swapped,",
  },
  givenBack: {
    by: "isRefundKnown",
    true: "{Refund} went back to the refund address; nothing is known of the rest.",
    false: "Nothing is known to have gone back to the refund address.",
  },
  returnedPart: {
    by: "isPaidBack",
    true: " The rest, {refund}, went back to the refund address.",
    false: "",
  },
  /** What can be done while nothing is heard of a swap. */
  unheard: {
    by: "isSeen",
    true: "{payOnce} Your payment goes on all the same, and shows here once something is heard of it.",
    false:
      `Do not pay for now. If you have paid, your payment goes on all the same, and shows here once something is heard of it.`,
  },
})

/** The texts, where they name nothing that payers are not told. A phase without a text does not compile. */
const textsOf = <const Texts extends Readonly<Record<SwapPhase, string>>>(
  texts: Texts & { readonly [Phase in keyof Texts]: TextFor<Texts[Phase], PayerTold, typeof phrases> },
): Texts => texts

/**
 * Where a swap stands in each phase, then what can be done, a line each. Nothing of these texts names the provider, the
 * operator, a channel or a transaction: who pays knows none of them.
 */
export const phases = textsOf({
  waiting_for_deposit:
    `Send the payment as this page shows it. Here you see when it has arrived: that takes as long as its chain does.
      {compareAddresses}
      {payAndWait}`,
  waiting_for_exact_deposit:
    `Send exactly {exactAmount}, to the last digit, as this page shows it: another amount does not count, and is lost.
      {compareAddresses}
      {payAndWait}`,
  waiting_for_deposit_with_memo:
    `Send the payment as this page shows it, with its memo: without the memo the money is lost.
      {compareAddresses}
      {payAndWait}
      If you have paid without the memo: {askHere}`,
  channel_closing:
    `It is too late to pay: the address takes payments until {expiry} only, and one sent now may not be in a block by then.
      Do not pay any more: {newAddress}
      If you have paid: wait. The payment shows here once it is seen.`,
  channel_expired:
    `No payment was seen by {expiry}, when the address stopped taking any. Do not send anything to it any more. {late}
      {NewAddress}
      If you have paid: look your transaction up in an explorer of {sourceChain}. One that was in a block in time still shows here. Otherwise {askHere}`,
  provider_switched_off: `Payments to this address are stopped for now. None has been seen.
      Do not pay until this page asks for the payment again. If you cannot wait: {newAddress}
      If you have paid: wait. The payment is followed all the same, and shows here.`,
  network_halted: `Payments of {source} are not taken at present. None has been seen.
      Do not pay until this page asks for the payment again: it could be held until then. If you cannot wait: {newAddress}
      If you have paid: wait. The payment is taken up once they are taken again, and shows here.`,
  deposit_unnoticed: `{Payment} was seen, but is not taken up yet.
      Wait for some minutes: this mostly resolves itself. {payOnce}
      If it does not: {askHere}`,
  deposit_seen: `{Payment} was seen on {sourceChain}, and gathers confirmations: {confirmed}.
      {goesOn} {payOnce}`,
  deposit_late: `{Payment} was seen on {sourceChain}, but is confirmed more slowly than usual: {confirmed}.
      {lookPayment}
      If your wallet can raise the fee of the transaction, do so. {payOnce}`,
  deposit_incomplete:
    `{Payment} was seen, which is less than the {expected} that were agreed. So little may not be swapped as it is.
      {sendRest}
      {orWait}`,
  deposit_confirmed: `{Payment} has all its confirmations, and is about to be swapped.
      {goesOn} {payOnce}`,
  deposit_waits_for_network:
    `{Payment} was seen, but payments of {source} are not taken up at present. It waits until they are.
      Wait: it goes on by itself then. {payOnce}`,
  late_deposit_seen:
    `{Payment} was seen, but only after {expiry}, when the address had stopped taking any. {soLate}
      Wait: what becomes of it shows here.
      {another}`,
  boost_pending: `{Payment} was seen, and may be swapped ahead of its confirmations.
      {goesOn} {payOnce}`,
  boost_skipped: `{Payment} was seen, and is swapped once it is confirmed: {confirmed}.
      {goesOn} {payOnce}`,
  swapping: `{Payment} has arrived, and is being swapped to {destination}.
      {goesOn}
      {unlessPrice}`,
  swapping_boosted: `{Payment} was taken up ahead of its confirmations, and is being swapped to {destination}.
      {goesOn}
      {unlessPrice}`,
  swap_late: `{Payment} is being swapped to {destination}, which takes longer than estimated.
      Wait: it is either swapped, or goes back to the refund address.`,
  swap_paused: `{Payment} has arrived, but all swaps are paused for safety. It is swapped once they go on.
      Wait: it goes on by itself then, and the agreed price limit still holds.`,
  swap_retrying: `{Payment} could not be swapped at the first try, and is tried again.
      {goesOn}
      {unlessPrice}`,
  swap_waits_for_network:
    `{Payment} has arrived, but {destination} is not paid out at present. The swap waits until it is.
      Wait: it goes on by itself then.`,
  waiting_for_price:
    `{Payment} is not swapped yet: the market is below the agreed price limit. It is tried again for {retryFor}, then goes back to the refund address.
      Wait: it is swapped as soon as the market reaches the limit, which cannot be changed any more.`,
  waiting_for_liquidity:
    `{Payment} is not swapped yet: so much at once would move the price too far. It is tried again for {retryFor}, then goes back to the refund address.
      Wait: this often resolves itself within minutes.
      If it goes back: swap a smaller amount.`,
  dca_starting: `{Payment} has arrived, and is being swapped to {destination} in {chunksAll} parts.
      {goesOn}
      {unlessPrice}`,
  dca_between_chunks:
    `{chunksDone} of {chunksAll} parts were swapped to {destination}: {swapped}, and {remaining} to go. The money is paid out after the last one.
      {goesOn}
      {unlessPrice}`,
  dca_waiting_for_price:
    `{chunksDone} of {chunksAll} parts were swapped. The next one waits, as the market is below the agreed price limit: it is tried again for {retryFor}. If that fails what was swapped is paid out, and the other {remaining} go back to the refund address.
      Wait: the price limit cannot be changed any more.`,
  payout_scheduled: `The swap is done: {payout} will be sent to the destination address.
      {goesOn}`,
  payout_sent: `{Payout} was sent to the destination address, and waits for its confirmations.
      {goesOn}`,
  payout_late: `The swap is done, but sending {payout} to the destination address takes longer than estimated.
      Wait. {lookUp}`,
  refund_scheduled: `Your payment was not swapped: {refund} will be sent back to the refund address.
      {goesOn}`,
  refund_sent:
    `Your payment was not swapped: {refund} was sent back to the refund address, and waits for its confirmations.
      {goesOn}`,
  refund_late:
    `Your payment was not swapped. Sending {refund} back to the refund address takes longer than it should.
      Wait. {lookUp}`,
  both_payments_under_way:
    `A part of your payment was swapped: {payout} goes to the destination address, and the rest, {refund}, back to the refund address.
      {goesOn}`,
  fallback_under_way:
    `The money could not be sent to the destination address as planned. {Fallback} is sent another way.
      Wait: its transaction shows below once there is one, and says where it went.`,
  completed: `Done: {payout} was paid to the destination address.
      {another}`,
  completed_promised:
    `Done: the money was paid to the destination address. How much arrived is not told: {payout} was promised, and it may be less, down to the agreed price limit.
      See in your wallet, or in an explorer of its chain, what arrived.
      {another}`,
  refunded: `Your payment was not swapped. {Refund} went back to the refund address.
      {another}`,
  refunded_for_price:
    `Your payment was not swapped, because the market stayed below the agreed price limit. {Refund} went back to the refund address.
      {another}`,
  completed_rest_refunded:
    `Done: {payout}, as was asked for, was paid to the destination address. What it did not need, {refund}, went back to the refund address.
      {another}`,
  refunded_partly:
    `Only a part was swapped ({swapped}): {payout} was paid to the destination address. The rest, {refund}, went back to the refund address.
      {another}`,
  late_deposit_refunded:
    `Your payment came after {expiry}, when the address had stopped taking any, and was not swapped. {Refund} went back to the refund address.
      For another try pay soon after you got the new address.
      {another}`,
  deposit_too_small:
    `{Payment} was ignored: it is below the smallest amount that is swapped. It does not go back to the refund address.
      Do not send more: payments are not added up.
      {AskHere}`,
  deposit_below_fees:
    `{Payment} was taken, but does not cover the fees of the network. Nothing is paid out or back.
      {moneyBack}
      {payOnce}`,
  deposit_ignored: `{Payment} was ignored, and was not swapped.
      {moneyBack}
      {payOnce}`,
  deposit_rejected: `{Payment} was not swapped. {givenBack}
      {moneyBack}
      {payOnce}`,
  deposit_rejected_refunded: `{Payment} was rejected. {Refund} went back to the refund address.
      For another try pay from another wallet: the sender of a payment is the usual reason.
      {another}`,
  deposit_under_review: `{Payment} is held: an address of the swap was flagged, and is being reviewed.
      {moneyBack}
      {payOnce}`,
  refund_unproven:
    `Your payment was not swapped. It is said to have gone back to the refund address, but not how much of it.
      See in your wallet, or in an explorer of its chain, what arrived at the refund address.
      If it is too little: {askHere}`,
  refund_too_small:
    `{swappedPart} and what is left of it after the fees is too little to be sent back to the refund address.
      {moneyBack}
      {payOnce}`,
  refund_failed: `{swappedPart} and sending {refund} back to the refund address failed.
      {moneyBack}
      {payOnce}`,
  payout_too_small:
    `Your payment was swapped, but {payout} is too little to be sent to the destination address: the network keeps it.{returnedPart}
      {moneyBack}
      {payOnce}`,
  payout_failed:
    `Your payment was swapped, but sending {payout} to the destination address failed.{returnedPart}
      {moneyBack}
      {payOnce}`,
  payout_callable:
    `Your payment was swapped, but sending {payout} to the destination address was prepared and not carried out.
      It can still be sent: {askHere}
      {payOnce}`,
  fallback_paid:
    `The money could not be sent to the destination address as planned. {Fallback} was paid another way.
      Its transaction below says where it went.
      If it is not yours: {askHere}
      {another}`,
  fallback_failed: `{Fallback} could not be sent, neither as planned nor another way.
      {moneyBack}
      {payOnce}`,
  failed_unexplained: `The swap has failed, and the reason is not known.
      {moneyBack}
      {payOnce}`,
  deposit_stalled: `{Payment} was seen, but is not taken up for far longer than that may take.
      {lookPayment}
      {payOnce} {AskHere}`,
  swap_stalled:
    `{Payment} has arrived, but is being swapped to {destination} for far longer than that may take.
      {payOnce} {AskHere}`,
  payout_stalled:
    `The swap is done, but sending {payout} to the destination address takes far longer than it may.
      {lookUp}
      {AskHere}`,
  refund_stalled:
    `Your payment was not swapped, and sending {refund} back to the refund address takes far longer than it may.
      {lookUp}
      {AskHere}`,
  provider_contradicts:
    `What is reported of this swap contradicts itself, or what was agreed. It is not believed: shown is the last that could be true.
      Do not send anything for now.
      If you have paid: {askHere}`,
  provider_not_followed: `This swap is not looked up at present. Shown is what was known before.
      {unheard}`,
  provider_silent:
    `Nothing is heard of this swap at present, though it is looked up again and again. Shown is what was known before.
      {unheard}
      If it stays so: {askHere}`,
})
