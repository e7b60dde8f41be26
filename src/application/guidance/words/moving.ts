import { rows } from "./renderGuidance.ts"

/** The texts from crediting a deposit to the payments. */
export const movingWords = rows({
  swapping: `{Deposit} was credited, and is being swapped to {destination}.
      {goesOn}`,
  swapping_boosted:
    `{Deposit} was boosted: it was credited ahead of its confirmations, and is being swapped to {destination}.
      {goesOn}`,
  swap_late: `{Deposit} is being swapped to {destination}, which takes {provider} longer than it estimated.
      Wait. It is either swapped, or goes back to the refund address.`,
  swap_paused:
    `{Deposit} was credited, but {provider} has paused all swaps for safety. It is swapped once they go on.
      Wait. The deposit is safe with the network, and the price limit still holds.`,
  swap_retrying: `{Deposit} could not be swapped at the first try, and is tried again.
      {limit}`,
  swap_waits_for_network:
    `{Deposit} was credited, but {provider} pays out no {destination} at present. The swap waits until it does.
      Wait. The deposit is with the network, which goes on with it by itself.`,
  waiting_for_price:
    `{Deposit} is not swapped yet: the market is below the price limit of {minimumPrice}. It is tried again for {retryFor}, then goes back to {refundAddress}.
      Wait: the swap is done as soon as the market reaches the limit. The limit of an open swap cannot be changed.
      If it goes back: ask for a new quote, and allow more slippage tolerance or a longer retry duration.`,
  waiting_for_liquidity:
    `{Deposit} is not swapped yet: it would move the price too far. It is tried again for {retryFor}, then goes back to {refundAddress}.
      Wait: liquidity often comes back within minutes.
      If it goes back: swap a smaller amount, or in chunks (DCA).`,
  dca_starting: `{Deposit} was credited, and is being swapped to {destination} in {chunksAll} chunks.
      {goesOn}`,
  dca_between_chunks:
    `{chunksDone} of {chunksAll} chunks were swapped to {destination}: {swapped}, and {remaining} to go. The output is paid after the last one.
      {goesOn}`,
  dca_waiting_for_price:
    `{chunksDone} of {chunksAll} chunks were swapped. The next one waits, as the market is below the price limit of {minimumPrice}: it is tried again for {retryFor}. If that fails the output so far is paid out, and the other {remaining} go back to {refundAddress}.
      Wait. The limit of an open swap cannot be changed.`,
  payout_scheduled: `The swap is done: {payout} will be sent to {destinationAddress}.
      {goesOn}`,
  payout_sent: `{Payout} was sent to {destinationAddress}{payoutTransaction}, and waits for its confirmations.
      {goesOn}`,
  payout_late:
    `The swap is done, but the payment of {payout} to {destinationAddress}{payoutTransaction} takes {provider} longer than it estimated.
      Wait. {lookUp}`,
  refund_scheduled: `The deposit was not swapped: {refund} will be sent back to {refundAddress}.
      {goesOn}`,
  refund_sent:
    `The deposit was not swapped: {refund} was sent back to {refundAddress}{refundTransaction}, and waits for its confirmations.
      {goesOn}`,
  refund_late:
    `The deposit was not swapped. Sending {refund} back to {refundAddress}{refundTransaction} takes {provider} longer than it should.
      Wait. {lookUp}`,
  both_payments_under_way:
    `A part of the deposit was swapped: {payout} goes to {destinationAddress}, and the rest, {refund}, back to {refundAddress}.
      {goesOn}`,
  fallback_under_way:
    `The payment of the output could not be sent as planned. {Provider} sends {fallback} another way.
      Wait. Where it went is in \`fallbackEgress\`, once it is there.`,
})
