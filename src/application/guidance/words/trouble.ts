import { rows } from "./renderGuidance.ts"

/** The texts of swaps that do not go on, or of which nothing new is known. */
export const troubleWords = rows({
  deposit_stalled:
    `{Deposit} was seen{depositTransaction}, but {provider} has not credited it for far longer than that may take.
      {lookDeposit}
      {sendOnce} {askOperator}`,
  swap_stalled:
    `{Deposit} was credited, but {provider} has been swapping it to {destination} for far longer than that may take.
      {sendOnce} {askOperator}`,
  payout_stalled:
    `The swap is done, but the payment of {payout} to {destinationAddress}{payoutTransaction} takes {provider} far longer than it may.
      {lookUp}
      {askOperator}`,
  refund_stalled:
    `The deposit was not swapped, and sending {refund} back to {refundAddress}{refundTransaction} takes {provider} far longer than it may.
      {lookUp}
      {askOperator}`,
  provider_contradicts:
    `What {provider} says of this swap contradicts itself, or what was opened. It is not believed: shown is the last status that could be true.
      Do not send anything for now: the address and terms here are those that the swap was opened with, but the provider may act on others.
      {askOperator}`,
  provider_not_followed:
    `The service does not ask {provider} about open swaps at present. Shown is what was known before.
      {sendOnce} A swap that is under way goes on with the provider all the same, and shows here once it is asked again.`,
  provider_silent:
    `{Provider} does not say anything of this swap at present, though it is asked again and again. Shown is what was known before.
      {sendOnce} A swap that is under way goes on with the provider all the same.
      {askOperator}`,
})

/** The texts without a swap on record. */
export const recordlessWords = rows({
  opening_requested: `{Provider} is being asked for a deposit channel.
      Wait some seconds. Nothing can be sent yet: there is no address so far.`,
  opening_unknown:
    `Whether {provider} has opened a channel is not known: its answer was lost. No address was handed out.
      Repeat the request with the same Idempotency-Key: it is looked up, and no second channel is opened unless there is provably none.
      Without such a key, open a new swap: money cannot be lost in a channel whose address nobody has.`,
  opening_refused: `{Provider} has refused to open a channel. There is no address, and nothing can be sent.
      Correct what the answer to the request named, or ask for quotes again and open another swap.`,
  transaction_unknown:
    `No swap with this transaction is known yet. A transaction is found some blocks after it was sent.
      Wait for a few blocks of its chain, and ask again.
      If it stays unknown: compare address, amount and data of the transaction with the payload or the channel that it was made for, in an explorer of its chain.`,
  stalled: `The swap stayed in its state longer than that may last with {provider}.
      {askOperator}`,
})
