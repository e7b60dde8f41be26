import { rows } from "./renderGuidance.ts"

/** The texts of the ends, those in which something failed among them. */
export const endedWords = rows({
  completed: `Done: {payout} was paid to {destinationAddress}{payoutTransaction}.
      {another}`,
  completed_promised:
    `Done: the output was paid to {destinationAddress}{payoutTransaction}. {Provider} does not say how much: {payout} was promised, and less may have arrived, down to the price limit.
      See what arrived in an explorer of the chain.
      {another}`,
  refunded: `The deposit was not swapped. {Refund} went back to {refundAddress}{refundTransaction}.
      To try again, ask for a new quote and open a new swap.
      {another}`,
  refunded_for_price:
    `The deposit was not swapped, because the market stayed below the price limit of {minimumPrice}. {Refund} went back to {refundAddress}{refundTransaction}.
      To try again, ask for a new quote, and allow more slippage tolerance or a longer retry duration.
      {another}`,
  completed_rest_refunded:
    `Done: {payout}, as was asked for, was paid to {destinationAddress}{payoutTransaction}. What it did not need, {refund}, went back to {refundAddress}{refundTransaction}.
      There is nothing to do.
      {another}`,
  refunded_partly:
    `Only a part was swapped ({swapped}): {payout} was paid to {destinationAddress}{payoutTransaction}. The rest, {refund}, went back to {refundAddress}{refundTransaction}.
      To swap the rest, ask for a new quote and open a new swap.
      {another}`,
  late_deposit_refunded:
    `The deposit came after the channel had expired ({expiry}), and was not swapped. {Refund} went back to {refundAddress}{refundTransaction}.
      To try again, open a new swap and send soon after.
      {another}`,
  deposit_too_small:
    `{Deposit} was ignored: it is below the smallest amount that {provider} swaps. It does not go back to {refundAddress}.
      Money that is below the minimum is kept by the network. {askProvider}
      Open a new swap for at least the \`minimumDeposit\` of its answer. Sending more to this address does not help: deposits are not added up.`,
  deposit_below_fees:
    `{Deposit} was taken, but does not cover the fees of {provider}'s network. Nothing is paid out or back.
      Open a new swap for a larger amount.
      {askProvider}`,
  deposit_ignored: `{Deposit} was ignored by {provider}, and was not swapped.
      {askProvider}
      {another}`,
  deposit_rejected: `{Deposit} was not swapped: {provider} has given up. {givenBack}
      {askProvider}
      {another}`,
  deposit_rejected_refunded:
    `{Deposit} was rejected by {provider}. {Refund} went back to {refundAddress}{refundTransaction}.
      Send from another wallet, if you swap again: the sender of a deposit is the usual reason.
      {another}`,
  deposit_under_review:
    `{Deposit} is held by {provider}: it has flagged an address of the swap, and reviews it.
      {askProvider}`,
  refund_unproven:
    `The deposit was not swapped. {Provider} says that it went back{refundTransaction}, but not how much of it.
      See in an explorer of the chain what arrived at {refundAddress}.
      {askProvider}`,
  refund_too_small:
    `{swappedPart} and what is left of it after the fees is too little to be sent back to {refundAddress}.
      {askProvider}
      {another}`,
  refund_failed:
    `{swappedPart} and sending {refund} back to {refundAddress} failed. {Provider} holds the money.
      {askProvider}`,
  payout_too_small:
    `The deposit was swapped, but {payout} is too little to be sent to {destinationAddress}: the network keeps it.{returnedPart}
      Swap a larger amount.
      {askProvider}`,
  payout_failed:
    `The deposit was swapped, but the payment of {payout} to {destinationAddress} failed. {Provider} holds the money.{returnedPart}
      {askProvider}`,
  payout_callable:
    `The deposit was swapped, but the payment of {payout} to {destinationAddress} was signed and not sent.
      Anybody can send it: the call is in \`swapEgress.transactionPayload\`. It pays the destination address, whoever sends it.
      {askProvider}`,
  fallback_paid:
    `The payment of the output could not be sent as planned. {Fallback} was paid another way{fallbackTransaction}.
      Where it went is in \`fallbackEgress.destinationAddress\`.
      {another}`,
  fallback_failed:
    `The payment of {fallback} could not be sent, neither as planned nor another way. {Provider} holds the money.
      {askProvider}`,
  failed_unexplained: `{Provider} has given the swap up, and does not say why.
      {askProvider}`,
})
