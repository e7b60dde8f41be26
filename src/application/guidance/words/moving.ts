import { rows } from "./phrases.ts"

/** The texts from crediting a deposit to the payments. */
export const movingWords = rows({
  swapping: `{Deposit} was credited and is being swapped to {destination}.
      {noAction}`,
  swapping_boosted:
    `{Deposit} was boosted: it was credited before it was confirmed, and is being swapped to {destination}.
      {noAction}`,
  swap_late: `{Deposit} is being swapped to {destination}. {Provider} is taking longer than it estimated.
      Wait. The deposit is either swapped or refunded.`,
  swap_paused:
    `{Deposit} was credited, but {provider} has paused all swaps for safety. It is swapped once they resume.
      Wait. {Provider} holds the deposit, and the minimum price still applies.`,
  swap_retrying: `The first attempt to swap {deposit} failed. {Provider} is retrying.
      {limit}`,
  swap_waits_for_network:
    `{Deposit} was credited, but {provider} is not paying out {destination}. The swap waits until it resumes.
      Wait. {Provider} holds the deposit and continues without any action.`,
  waiting_for_price:
    `{Deposit} is not swapped yet, because the market is below the minimum price of {minimumPrice}. {Provider} retries for {retryFor}, then refunds to {refundAddress}.
      Wait. The swap follows as soon as the market reaches the minimum price. The minimum price of an open swap is fixed.
      If it is refunded, request a new quote with more slippage tolerance or a longer retry duration.`,
  waiting_for_liquidity:
    `{Deposit} is not swapped yet, because it would move the price too far. {Provider} retries for {retryFor}, then refunds to {refundAddress}.
      Wait. Liquidity often returns within minutes.
      If it is refunded, swap a smaller amount, or in chunks (DCA).`,
  dca_starting: `{Deposit} was credited and is being swapped to {destination} in {chunksAll} chunks.
      {noAction}`,
  dca_between_chunks:
    `{chunksDone} of {chunksAll} chunks were swapped to {destination}: {swapped} done, {remaining} to go. The payout follows the last chunk.
      {noAction}`,
  dca_waiting_for_price:
    `{chunksDone} of {chunksAll} chunks were swapped. The next one waits, because the market is below the minimum price of {minimumPrice}. {Provider} retries it for {retryFor}. After that it pays out the output so far and refunds the other {remaining} to {refundAddress}.
      Wait. The minimum price of an open swap is fixed.`,
  payout_scheduled: `The swap is done. {Provider} is about to send {payout} to {destinationAddress}.
      {noAction}`,
  payout_sent: `{Payout} was sent to {destinationAddress}{payoutTransaction} and is waiting for confirmations.
      {noAction}`,
  payout_late:
    `The swap is done, but the payout of {payout} to {destinationAddress}{payoutTransaction} is later than {provider} estimated.
      Wait. {lookUp}`,
  refund_scheduled: `The deposit was not swapped. {Provider} is about to refund {refund} to {refundAddress}.
      {noAction}`,
  refund_sent:
    `The deposit was not swapped. The refund of {refund} to {refundAddress} was sent{refundTransaction} and is waiting for confirmations.
      {noAction}`,
  refund_late:
    `The deposit was not swapped. The refund of {refund} to {refundAddress}{refundTransaction} is late.
      Wait. {lookUp}`,
  both_payments_under_way:
    `Part of the deposit was swapped. The payout of {payout} to {destinationAddress} and the refund of {refund} to {refundAddress} are on their way.
      {noAction}`,
  fallback_under_way:
    `The payout could not be sent as planned. {Provider} is sending {fallback} as a fallback payout.
      Wait. The recipient will be in \`fallbackEgress\`.`,
})
