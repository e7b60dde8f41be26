import { rows } from "./phrases.ts"

/** The texts of the ends, those in which something failed among them. */
export const endedWords = rows({
  completed: `Completed: {payout} was paid to {destinationAddress}{payoutTransaction}.
      {another}`,
  completed_promised:
    `Completed: the output was paid to {destinationAddress}{payoutTransaction}. {Provider} reports no exact amount. It promised {payout}; less may have arrived, down to the minimum price.
      Check the amount in an explorer of the chain.
      {another}`,
  refunded: `The deposit was not swapped. {Refund} was refunded to {refundAddress}{refundTransaction}.
      {tryAgain}
      {another}`,
  refunded_for_price:
    `The deposit was not swapped, because the market stayed below the minimum price of {minimumPrice}. {Refund} was refunded to {refundAddress}{refundTransaction}.
      To try again, request a new quote with more slippage tolerance or a longer retry duration.
      {another}`,
  completed_rest_refunded:
    `Completed: {payout}, the amount requested, was paid to {destinationAddress}{payoutTransaction}. The unused {refund} was refunded to {refundAddress}{refundTransaction}.
      {noAction}
      {another}`,
  refunded_partly:
    `Only a part was swapped ({swapped}): {payout} was paid to {destinationAddress}{payoutTransaction}. The rest, {refund}, was refunded to {refundAddress}{refundTransaction}.
      To swap the rest, request a new quote and open a new swap.
      {another}`,
  late_deposit_refunded:
    `The deposit arrived after the channel had expired ({expiry}) and was not swapped. {Refund} was refunded to {refundAddress}{refundTransaction}.
      To try again, open a new swap and send soon after.
      {another}`,
  deposit_too_small:
    `{Deposit} was ignored, because it is below the minimum deposit of {provider}. It is not refunded to {refundAddress}.
      The network keeps deposits below the minimum. {askProvider}
      Open a new swap for at least its \`minimumDeposit\`. Sending more to this address does not help, because deposits are not added up.`,
  deposit_below_fees:
    `{Deposit} arrived, but does not cover the network fees of {provider}. Nothing is paid out or refunded.
      Open a new swap for a larger amount.
      {askProvider}`,
  deposit_ignored: `{Provider} ignored {deposit}. It was not swapped.
      {askProvider}
      {another}`,
  deposit_rejected: `{Provider} did not swap {deposit} and has given up. {givenBack}
      {askProvider}
      {another}`,
  deposit_rejected_refunded:
    `{Provider} rejected {deposit}. {Refund} was refunded to {refundAddress}{refundTransaction}.
      To swap again, send from another wallet. The sender of a deposit is the usual reason.
      {another}`,
  deposit_under_review:
    `{Provider} is holding {deposit}. It flagged an address of the swap and is reviewing it.
      {askProvider}`,
  refund_unproven:
    `The deposit was not swapped. {Provider} reports a refund{refundTransaction}, but not its amount.
      Check in an explorer of the chain what arrived at {refundAddress}.
      {askProvider}`,
  refund_too_small: `{swappedPart} After fees too little is left to refund to {refundAddress}.
      {askProvider}
      {another}`,
  refund_failed: `{swappedPart} The refund of {refund} to {refundAddress} failed. {Provider} holds the money.
      {askProvider}`,
  payout_too_small:
    `The deposit was swapped, but {payout} is too little to pay out to {destinationAddress}. The network keeps it.{returnedPart}
      Swap a larger amount.
      {askProvider}`,
  payout_failed:
    `The deposit was swapped, but the payout of {payout} to {destinationAddress} failed. {Provider} holds the money.{returnedPart}
      {askProvider}`,
  payout_callable:
    `The deposit was swapped, but the payout of {payout} to {destinationAddress} was signed and not sent.
      Anyone can send it with the call in \`swapEgress.transactionPayload\`. It always pays the destination address.
      {askProvider}`,
  fallback_paid:
    `The payout could not be sent as planned. {Fallback} was sent as a fallback payout{fallbackTransaction}.
      The recipient is in \`fallbackEgress.destinationAddress\`.
      {another}`,
  fallback_failed: `Both the payout of {fallback} and its fallback payout failed. {Provider} holds the money.
      {askProvider}`,
  failed_unexplained: `{Provider} has given the swap up without a reason.
      {askProvider}`,
})
