import { rows } from "./phrases.ts"

/** The texts of swaps that are stuck, or whose status is old. */
export const troubleWords = rows({
  deposit_stalled:
    `{Deposit} was seen{depositTransaction}, but {provider} is far over its usual time to credit it.
      {lookDeposit}
      {sendOnce} {askOperator}`,
  swap_stalled:
    `{Deposit} was credited, but {provider} is far over its usual time to swap it to {destination}.
      {sendOnce} {askOperator}`,
  payout_stalled:
    `The swap is done, but {provider} is far over its usual time to pay {payout} to {destinationAddress}{payoutTransaction}.
      {lookUp}
      {askOperator}`,
  refund_stalled:
    `The deposit was not swapped, and {provider} is far over its usual time to refund {refund} to {refundAddress}{refundTransaction}.
      {lookUp}
      {askOperator}`,
  provider_contradicts:
    `{Provider}'s latest status contradicts the opening or earlier statuses. This is the last consistent status.
      Do not send anything for now. The address and terms are those of the opening, but {provider} may act on others.
      {askOperator}`,
  provider_not_followed: `Status checks at {provider} are switched off. This is the last known status.
      {sendOnce} A swap in progress continues at {provider}, and shows here once status checks resume.`,
  provider_silent: `{Provider} is not responding to status checks. This is the last known status.
      {sendOnce} A swap in progress continues at {provider}.
      {askOperator}`,
})

/** The texts without a swap on record. */
export const recordlessWords = rows({
  opening_requested: `Opening a deposit channel at {provider}.
      Wait some seconds. There is no address yet, so nothing can be sent.`,
  opening_unknown: `Channel status unknown: no valid reply came from {provider}. No address was handed out.
      Repeat the request with the same Idempotency-Key. The channel is looked up, and a second one is opened only if none exists.
      Without an Idempotency-Key, open a new swap. No money can be lost in a channel whose address was never handed out.`,
  opening_refused: `{Provider} refused to open a channel. There is no address, so nothing can be sent.
      Correct what the response to the request named, or request new quotes and open another swap.`,
  transaction_unknown:
    `No swap with this transaction is known yet. A transaction is found some blocks after it was sent.
      Wait for a few blocks of its chain, then check again.
      If it stays unknown, compare the address, amount and data of the transaction with its channel or payload, in an explorer of its chain.`,
  stalled: `The swap was far over the usual time of {provider}.
      {askOperator}`,
})
